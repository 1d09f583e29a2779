// The data that the page writes in front of its scripts.

declare const WORDS: Record<string, { zh: string; en: string }>;
declare const CLASSES: { zh: string; en: string }[];

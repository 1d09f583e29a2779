"""Trains the network on files of patches, and packs it in eight bits."""
import argparse
import os
import time

import numpy as np
import torch
from torch import nn

from patches import EMPTY, JUNK  # noqa: F401  (the classes, for whoever reads on)

CHANNELS = [3, 16, 24, 48, 88, 112]
OUTPUTS = 10  # Seven kinds, empty, junk, and the side.


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=0 if i == 4 else 1, bias=False) for i, (a, b) in enumerate(zip(CHANNELS, CHANNELS[1:])))
        self.norms = nn.ModuleList(nn.BatchNorm2d(b) for b in CHANNELS[1:])
        self.out = nn.Linear(4 * CHANNELS[-1], OUTPUTS)

    def forward(self, x):
        for i, (conv, norm) in enumerate(zip(self.convs, self.norms)):
            x = torch.relu(norm(conv(x)))
            if i < 3:
                x = nn.functional.max_pool2d(x, 2)
        return self.out(x.permute(0, 2, 3, 1).flatten(1))


def load(path):
    while not os.path.exists(path):
        time.sleep(1)
    f = np.load(path)
    return f["x"], f["k"], f["s"]


def as_input(x):
    return torch.from_numpy(x).permute(0, 3, 1, 2).float().div_(64).contiguous(memory_format=torch.channels_last)


def vary(x, rng):
    """Light and colour of each patch, a little."""
    n = len(x)
    gain = torch.from_numpy(rng.uniform(0.8, 1.2, (n, 1, 1, 1)).astype(np.float32))
    shift = torch.from_numpy(rng.normal(0, 0.05, (n, 3, 1, 1)).astype(np.float32))
    return x * gain + shift


def losses(y, k, s):
    piece = s >= 0
    kinds = nn.functional.cross_entropy(y[:, :9], k, label_smoothing=0.01)
    sides = nn.functional.binary_cross_entropy_with_logits(y[piece, 9], s[piece].float())
    return kinds + 0.3 * sides


def set_rate(optimizer, rate, done, steps):
    """The rate of a step: a short warm-up, then a cosine to a hundredth."""
    rate = rate * min(1, (done + 1) / 5) * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * done / steps)))
    for group in optimizer.param_groups:
        group["lr"] = rate
    return rate


def train_on(net, optimizer, x, k, s, batch, rng):
    """One pass over the patches of a file, in any order; returns the mean loss."""
    index, mean = rng.permutation(len(x)), 0.0
    for i in range(0, len(x), batch):
        j = index[i : i + batch]
        if len(j) < 64:
            continue
        with torch.autocast("cpu", torch.bfloat16):
            y = net(vary(as_input(x[j]), rng))
        loss = losses(y.float(), torch.from_numpy(k[j]).long(), torch.from_numpy(s[j]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean += loss.item() * len(j) / len(x)
    return mean


def evaluate(net, files):
    net.eval()
    right = total = sides = pieces = junk = 0
    wrong = np.zeros((9, 9), int)
    with torch.no_grad():
        for path in files:
            x, k, s = load(path)
            y = net(as_input(x)).numpy()
            guess = y[:, :9].argmax(1)
            real = k != JUNK
            right += (guess == k)[real].sum()
            total += real.sum()
            junk += (guess == JUNK)[~real].mean() / len(files)
            piece = s >= 0
            sides += ((y[:, 9] > 0) == (s > 0))[piece].sum()
            pieces += piece.sum()
            np.add.at(wrong, (k, guess), 1)
    net.train()
    print(f"  points {right / total:.4%}, sides {sides / pieces:.4%}, junk seen {junk:.2%}", flush=True)
    return wrong


def main():
    a = argparse.ArgumentParser()
    a.add_argument("folder")
    a.add_argument("--test", type=int, default=4, help="how many files are for testing: the first ones")
    a.add_argument("--first", type=int, default=4, help="the first file that is new")
    a.add_argument("--files", type=int, default=300)
    a.add_argument("--repeats", type=int, default=2, help="how often each file is used again")
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--batch", type=int, default=512)
    a.add_argument("--seed", type=int, default=76)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--start", help="go on with this network, also a packed one (.bin)")
    a.add_argument("--out", default="picture.pt")
    a = a.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    rng = np.random.default_rng(a.seed)
    net = Net().to(memory_format=torch.channels_last)
    if a.start:
        if a.start.endswith(".bin"):
            from pack import restore  # It needs the network that is here.

            with open(a.start, "rb") as f:
                restore(net, f.read(), load(os.path.join(a.folder, "00000.npz"))[0][:3000])
        else:
            net.load_state_dict(torch.load(a.start))
    # Drawing takes longer than training: each file is used again, between those that are new.
    order = []
    for number in range(a.first, a.files):
        order += [number] + list(rng.integers(a.test, number + 1, a.repeats))
    steps = len(order)
    optimizer = torch.optim.AdamW(net.parameters(), a.rate, weight_decay=0.02)
    test = [os.path.join(a.folder, f"{i:05}.npz") for i in range(a.test)]
    evaluate(net, test)
    done, begun = 0, time.time()
    for number in order:
        x, k, s = load(os.path.join(a.folder, f"{number:05}.npz"))
        rate = set_rate(optimizer, a.rate, done, steps)
        mean = train_on(net, optimizer, x, k, s, a.batch, rng)
        done += 1
        if done % 10 == 0:
            print(f"{done}/{steps} loss {mean:.4f} rate {rate:.5f} {time.time() - begun:.0f} s", flush=True)
        if done % 50 == 0:
            evaluate(net, test)
            torch.save(net.state_dict(), a.out)
    print(evaluate(net, test))
    torch.save(net.state_dict(), a.out)


if __name__ == "__main__":
    main()

//! Sorting where speed does not matter: a sort of the standard library is compiled anew for each type and each order, four
//! kilobytes every time, and most lists are short.

use std::cmp::Ordering;

/// Stable sorts that share their code.
pub trait SmallSort<T> {
    /// Sorts by this comparison.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    /// Sorts by the type's own order.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> SmallSort<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order = sorted_indices(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        put_in_order(&mut order, &mut |one, other| self.swap(one, other));
    }
}

/// The indices of so many items, in the order of the items.
fn sorted_indices(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..count).collect();
    indices.sort_by(|&one, &other| compare(one, other));
    indices
}

/// Swaps items until at each place is the one whose index stands there in `order`, cycle by cycle.
fn put_in_order(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for begin in 0..order.len() {
        let mut place = begin;
        while order[place] != begin {
            let from = order[place];
            swap(place, from);
            (order[place], place) = (place, from);
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::SmallSort;

    #[test]
    fn small_sort_is_the_sort_of_the_standard_library() {
        // Numbers with many equal keys, in no order.
        for count in 0..60_u64 {
            let items: Vec<(u64, u64)> = (0..count).map(|at| (at.wrapping_mul(0x9E37_79B9) % 7, at)).collect();
            let (mut sorted, mut expected) = (items.clone(), items);
            sorted.order_by_key(|&(key, _)| std::cmp::Reverse(key));
            expected.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(sorted, expected);
            sorted.order();
            expected.sort();
            assert_eq!(sorted, expected);
        }
    }
}

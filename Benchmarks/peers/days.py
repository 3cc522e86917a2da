"""A day of 8 tasks that run 12 times each, as a bare model with heapq: no gates, no store, no history."""

import heapq
import sys
import time

DAY = 86_400_000


def live(days):
    heap = [(60_000, number, number, False) for number in range(8)]
    heapq.heapify(heap)
    sequence = 8
    launches = 0
    end = days * DAY
    while heap[0][0] < end:
        now, _, task, is_end = heapq.heappop(heap)
        if is_end:
            continue
        launches += 1
        heapq.heappush(heap, (now + 10_000, sequence, task, True))
        heapq.heappush(heap, (now + 7_200_000, sequence + 1, task, False))
        sequence += 2
    return launches


def main():
    days = int(sys.argv[1])
    begun = time.perf_counter()
    launches = live(days)
    print(f"{days / (time.perf_counter() - begun):.0f} {launches}")


main()

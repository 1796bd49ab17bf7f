/** Gives results of look-ups, a few in each turn of the event loop, the urgent ones first. */

interface ResultQueue {
  add(isUrgent: boolean, give: () => void): void
  /** Results that are still to be given. */
  size(): number
}

/**
 * Requests that arrive meanwhile are then on their way to the database while the rest is given; otherwise
 * the two would wait for each other in turn.
 */
const RESULTS_A_TURN = 24
/** Entries that were served are dropped together. */
const MAX_SERVED = 1000

/** @param onTurn called after each turn */
export function createResultQueue(onTurn: () => void): ResultQueue {
  const urgent: Array<() => void> = []
  const others: Array<() => void> = []
  let next = 0
  let isGiving = false

  function take(): (() => void) | undefined {
    if (urgent.length > 0) return urgent.shift()
    // why: while keys go on to arrive the queue is never empty, and would hold every request that it has served
    if (next === MAX_SERVED || next === others.length) {
      others.splice(0, next)
      next = 0
    }
    const give = others[next]
    if (give !== undefined) next += 1
    return give
  }

  function giveSome(): void {
    let isLast = false
    for (let count = 0; count < RESULTS_A_TURN && !isLast; count += 1) {
      const give = take()
      if (give) give()
      else isLast = true
    }
    isGiving = !isLast
    if (isGiving) setImmediate(giveSome)
    onTurn()
  }

  return {
    size: () => urgent.length + others.length - next,
    add(isUrgent, give) {
      const queue = isUrgent ? urgent : others
      queue.push(give)
      if (isGiving) return
      isGiving = true
      // why: what is added in this turn is given in order of urgency
      queueMicrotask(giveSome)
    },
  }
}

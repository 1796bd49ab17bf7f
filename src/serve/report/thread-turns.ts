/**
 * Turns for libuv's threads. A process has four, and looking up names and connecting need them, too: bodies occupy at
 * most three, so that neither a slow disk nor a long compression delays another request.
 */

/** Calls `work` when what was passed before has ended. @returns its result */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>

function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Of the spool folder. */
export const readInTurn = createTurns()
/** Writes, creates and closes files of the spool folder. */
export const writeInTurn = createTurns()
/** why: four compressions at once stalled the event loop for 55 to 74 ms, one for 16 to 21: they compete for cores */
export const compressInTurn = createTurns()

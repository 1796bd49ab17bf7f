/**
 * Waits for the result, unless the signal aborts first. An abort ends only the wait; the work continues.
 * @param onAbort called before it rejects
 * @throws what `awaited` rejects with; the signal's reason as soon as it aborts.
 */
export function unlessAborted<T>(
  awaited: Promise<T>,
  signal: AbortSignal,
  onAbort?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      onAbort?.()
      reject(signal.reason as Error)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

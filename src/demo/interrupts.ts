// The signals that stop the demo: the first one stops it in order, the second one at once.

export interface Interrupts {
  /** Aborted by the first signal. */
  first: AbortSignal
  /** Aborted by the second. */
  second: AbortSignal
  /** The signal to send to the gateway after the first one. */
  forwardedSignal: () => 'SIGINT' | 'SIGTERM'
  /** Stops listening. */
  close: () => void
}

/** A signal to the process group and the copy that make forwards within this time count as one. */
const sameSignalMs = 250

export function listenForInterrupts(): Interrupts {
  const first = new AbortController()
  const second = new AbortController()
  let forwardedSignal: 'SIGINT' | 'SIGTERM' = 'SIGINT'
  let firstAt = 0
  function listen(name: NodeJS.Signals): void {
    if (!first.signal.aborted) {
      firstAt = performance.now()
      if (name === 'SIGTERM') forwardedSignal = name
      first.abort(new Error(`Stopped by ${name}`))
    } else if (performance.now() - firstAt > sameSignalMs) {
      second.abort()
    }
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, listen)
  return {
    first: first.signal,
    second: second.signal,
    forwardedSignal: () => forwardedSignal,
    close() {
      for (const name of names) process.off(name, listen)
    },
  }
}

// The signals that stop the demo: the first asks everything to end, the second ends it at once.

export interface Interrupts {
  /** Aborted by the first signal. */
  first: AbortSignal
  /** Aborted by the second. */
  again: AbortSignal
  /** What the gateway should be sent on the first. */
  toPassOn: () => 'SIGINT' | 'SIGTERM'
  /** Stops listening. */
  close: () => void
}

/** A signal to the process group and make's own copy of it are one signal, not two. */
const sameSignalMs = 250

export function listenForInterrupts(): Interrupts {
  const first = new AbortController()
  const again = new AbortController()
  let toPassOn: 'SIGINT' | 'SIGTERM' = 'SIGINT'
  let firstAt = 0
  function listen(name: NodeJS.Signals): void {
    if (!first.signal.aborted) {
      firstAt = performance.now()
      if (name === 'SIGTERM') toPassOn = name
      first.abort(new Error(`Stopped by ${name}`))
    } else if (performance.now() - firstAt > sameSignalMs) {
      again.abort()
    }
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, listen)
  return {
    first: first.signal,
    again: again.signal,
    toPassOn: () => toPassOn,
    close() {
      for (const name of names) process.off(name, listen)
    },
  }
}

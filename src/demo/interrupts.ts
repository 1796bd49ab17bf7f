// The signals that stop the demo: the first one stops it in order, the second one at once. SIGHUP does, too,
// unless the demo handles it and its terminal is open.
import { closeSync, openSync } from 'node:fs'

export interface Interrupts {
  /** Aborted by the first signal. */
  first: AbortSignal
  /** Aborted by the second. */
  second: AbortSignal
  /** The signal to send to the gateway after the first one. */
  forwardedSignal: () => 'SIGINT' | 'SIGTERM'
  /** Called on SIGHUP instead of stopping, except if the terminal has been closed. */
  onHangUp: (callback: () => void) => void
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
  let hangUp: (() => void) | undefined
  const hadTerminal = hasTerminal()
  function listen(name: NodeJS.Signals): void {
    if (!first.signal.aborted) {
      firstAt = performance.now()
      if (name === 'SIGTERM') forwardedSignal = name
      first.abort(new Error(`Stopped by ${name}`))
    } else if (performance.now() - firstAt > sameSignalMs) {
      second.abort()
    }
  }
  function listenForHangUp(name: NodeJS.Signals): void {
    if (hangUp === undefined || (hadTerminal && !hasTerminal())) listen(name)
    else hangUp()
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR2'] as const
  for (const name of names) process.on(name, listen)
  process.on('SIGHUP', listenForHangUp)
  return {
    first: first.signal,
    second: second.signal,
    forwardedSignal: () => forwardedSignal,
    onHangUp: callback => void (hangUp = callback),
    close() {
      process.off('SIGHUP', listenForHangUp)
      for (const name of names) process.off(name, listen)
    },
  }
}

/** Whether this process has a terminal that controls it. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

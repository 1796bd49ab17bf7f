// Timers of exactly a minute, as between two checks, end after 0.2 s, since a test should not take a minute.

/** @returns restores timers */
export function shortenMinutes(): () => void {
  const { setTimeout } = globalThis
  globalThis.setTimeout = ((then: () => void, ms = 0, ...rest: []) =>
    setTimeout(then, ms === 60_000 ? 200 : ms, ...rest)) as typeof setTimeout
  return () => void (globalThis.setTimeout = setTimeout)
}

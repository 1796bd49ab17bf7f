// Waits for a condition by polling.

/** Whether it responds with a status of success. */
export const isUp = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

/** Resolves with the first result that is neither undefined nor false. @throws Error after 30 s. */
export async function until<T>(
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const seen = await read()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`not reached within 30 s: ${read.toString()}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

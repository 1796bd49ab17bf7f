// Waits for what has no event to wait for.

/** Resolves with the first answer that is neither undefined nor false. @throws Error after 10 s. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`not so within 10 s: ${look.toString()}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

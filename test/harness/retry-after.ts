/** 1 to 120 seconds. */
export function isRetryAfter(text: string | undefined): boolean {
  const seconds = Number(text)
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= 120
}

/** At most as many UTF-16 code units. A character is never cut in half, which could not be encoded. */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(HALF, '')
}

const HALF = /[\uD800-\uDBFF]$/

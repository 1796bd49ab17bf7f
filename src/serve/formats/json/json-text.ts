/**
 * JSON without the line ends that JSON allows in texts: U+0085, U+2028 and U+2029.
 * why: readers of lines cut a text there, such as Python's splitlines, httpx and Node 24
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(LINE_ENDS, escapedLineEnd)
}

const LINE_ENDS = /[\u0085\u2028\u2029]/g

export function escapedLineEnd(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

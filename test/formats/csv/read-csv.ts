/**
 * A strict reader of RFC 4180: anything that it does not allow is an error. A quoted field is a text, an empty field
 * without quotes is null.
 */
export function readCsv(text: string, separator: ',' | ';'): Array<Array<string | null>> {
  const lines: Array<Array<string | null>> = []
  let line: Array<string | null> = []
  let at = 0
  const plain = separator === ',' ? /[^",\r\n]+/y : /[^";\r\n]+/y

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const [match] = pattern.exec(text) ?? []
    at += match?.length ?? 0
    return match
  }

  while (at < text.length) {
    const quoted = take(/"(?:[^"]|"")*"/y)
    if (quoted === undefined) line.push(take(plain) ?? null)
    else line.push(quoted.slice(1, -1).replaceAll('""', '"'))
    if (take(/\r\n/y) !== undefined) {
      lines.push(line)
      line = []
    } else if (text[at++] !== separator) {
      throw new Error(
        `match ${JSON.stringify(text.slice(at, at + 20))} after a field, expected ${separator}`,
      )
    }
  }
  if (line.length > 0) throw new Error('the last line does not end')
  return lines
}

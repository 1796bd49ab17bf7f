/**
 * CSV as RFC 4180 has it, read by the letter: what it does not allow is an error. A field in quotes is a text,
 * an empty one without quotes is null.
 */
export function readCsv(text: string, separator: ',' | ';'): Array<Array<string | null>> {
  const lines: Array<Array<string | null>> = []
  let line: Array<string | null> = []
  let at = 0
  const plain = separator === ',' ? /[^",\r\n]+/y : /[^";\r\n]+/y

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    at += found?.length ?? 0
    return found
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
        `found ${JSON.stringify(text.slice(at, at + 20))} after a field, expected ${separator}`,
      )
    }
  }
  if (line.length > 0) throw new Error('the last line does not end')
  return lines
}

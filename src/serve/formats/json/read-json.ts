/**
 * The rows of a JSON body of ours, as PostgreSQL printed them: another format of it needs no run.
 * Reads what `json.ts` wrote and no other JSON.
 */
import { viewOf, type RowBytes } from '../../../model/row-bytes.ts'
import type { ColumnType, RawField } from '../../../model/terms.ts'
import type { Ending, Subject } from '../format.ts'
import { jsonHead } from './json.ts'

export interface JsonRows {
  /** Hands over rows until there is none or `enough`; true where there is none. */
  read(take: (row: RowBytes) => void, enough: () => boolean): boolean
  /** What stands after the last row. */
  ending(): Ending
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const CLOSING_BRACE = 0x7d
const CLOSING_BRACKET = 0x5d
const LETTER_N = 0x6e

/** Fields stand in the order of the definition's columns. @param bytes of a JSON body about the subject */
export function createJsonRows(subject: Subject, bytes: Buffer): JsonRows {
  const { columns } = subject.definition
  const prefixes = columns.map(({ key }) => Buffer.byteLength(JSON.stringify(key)) + 2)
  const toRaw = columns.map(({ type }) => rawOf(type))
  const starts = new Int32Array(columns.length)
  const ends = new Int32Array(columns.length)
  let scratch = Buffer.allocUnsafe(4096)
  let view = viewOf(scratch)
  let length = 0
  let rowCount = 0
  let at = Buffer.byteLength(jsonHead(subject))

  /** Room beside what is written: a field is no longer than its JSON. */
  function makeRoom(byteCount: number): void {
    if (length + byteCount <= scratch.length) return
    const larger = Buffer.allocUnsafe((length + byteCount) * 2)
    scratch.copy(larger, 0, 0, length)
    scratch = larger
    view = viewOf(scratch)
  }

  function put(text: string): void {
    makeRoom(Buffer.byteLength(text))
    length += scratch.write(text, length)
  }

  function putBytes(start: number, end: number): void {
    makeRoom(end - start)
    length += bytes.copy(scratch, length, start, end)
  }

  /** Reads the object that begins here into the scratch, and goes to its end. */
  function readObject(): void {
    length = 0
    for (let order = 0; order < columns.length; order += 1) {
      at += prefixes[order]!
      starts[order] = length
      if (bytes[at] === LETTER_N) {
        starts[order] = -1
        at += 4
      } else if (bytes[at] === QUOTE) {
        const end = endOfText(bytes, at + 1)
        const raw = toRaw[order]!
        if (raw !== undefined) put(raw(bytes.toString('latin1', at + 1, end)))
        else if (bytes.subarray(at + 1, end).includes(BACKSLASH)) {
          put(JSON.parse(bytes.toString('utf8', at, end + 1)) as string)
        } else putBytes(at + 1, end)
        at = end + 1
      } else {
        const start = at
        while (bytes[at] !== COMMA && bytes[at] !== CLOSING_BRACE) at += 1
        putBytes(start, at)
      }
      ends[order] = length
    }
    // why: its closing brace
    at += 1
  }

  return {
    read(take, enough) {
      while (bytes[at] !== CLOSING_BRACKET) {
        if (enough()) return false
        // why: `,` and a line's end stand between rows
        if (rowCount > 0) at += 2
        readObject()
        rowCount += 1
        const fieldCount = columns.length
        take({ bytes: scratch, view, start: 0, end: length, starts, ends, fieldCount })
      }
      return true
    },
    ending() {
      at += '],"totals":'.length
      readObject()
      const totals = new Map<string, RawField>(
        columns.map(({ key }, order) => [
          key,
          starts[order]! < 0 ? null : scratch.toString('utf8', starts[order], ends[order]),
        ]),
      )
      const rest = JSON.parse(`{${bytes.toString('utf8', at + 1)}`) as { summary: string }
      return { totals, rowCount, summary: rest.summary }
    },
  }
}

/** Where the closing quote stands. */
function endOfText(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(QUOTE, start)
  while (isEscaped(bytes, start, end)) end = bytes.indexOf(QUOTE, end + 1)
  return end
}

function isEscaped(bytes: Buffer, start: number, at: number): boolean {
  let before = at
  while (before > start && bytes[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

/** Undefined where the text is as PostgreSQL printed it. */
function rawOf(type: ColumnType): ((text: string) => string) | undefined {
  return type === 'datetime' ? utcInstant : undefined
}

/** `2026-03-01 10:00:00.5+00` of `2026-03-01T13:00:00.5+03:00`. */
function utcInstant(text: string): string {
  const zone = text.length - '+03:00'.length
  const sign = text[zone] === '-' ? -1 : 1
  const offsetMinutes = Number(text.slice(zone + 1, zone + 3)) * 60 + Number(text.slice(zone + 4))
  const localMs = Date.parse(`${text.slice(0, 16)}Z`)
  const utc = new Date(localMs - sign * offsetMinutes * 60_000).toISOString()
  return `${utc.slice(0, 10)} ${utc.slice(11, 16)}${text.slice(16, zone)}+00`
}

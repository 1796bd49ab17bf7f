/**
 * Reads the YAML that definitions are mostly written in: nested maps, collections on one line, texts, numbers and `>-`.
 * Anything else, correct or not, is left to the YAML parser.
 */

export interface PlainYaml {
  readonly value: unknown
  /** Of keys that begin a line, by path. A collection is on the line of its key. */
  readonly offsets: ReadonlyMap<string, number>
}

/** The offset of the last key of the path that begins a line. */
export function plainOffsetOf({ offsets }: PlainYaml, path: readonly string[]): number {
  const keys = path.map((_, at) => ['', ...path.slice(0, at + 1)].join('\0'))
  return offsets.get(keys.findLast(key => offsets.has(key)) ?? '') ?? 0
}

/** Thrown at anything else, as by the parser of JSON. */
class NotPlain extends SyntaxError {}

const LINE = /^( *)([a-z_][\w.]*(?:\(\))?):(?: +(.*?))?(?: +#.*)? *$/i
/** A blank line or a comment. */
const IGNORED = /^ *(?:#.*)?$/
const TEXT = /^[\p{L}\d](?:(?!: | #|:$).)*$/u
const QUOTED = /^"(?:[^"\\]|\\["\\])*"$/
/**
 * In a collection: a key, or a text with or without quotes.
 * why: a backslash would escape the quote that is inserted after it
 */
const TOKEN =
  /(?<!\\)(?:([a-z_]\w*): +|("(?:[^"\\]|\\["\\])*")(?= *[,\]}])|([\p{L}\d][^,[\]{}:"#]*?)(?= *[,\]}]))/giu
/** why: JSON would take the last of two equal keys */
const QUOTED_KEY = /" *:/
const RESERVED_KEY = /^(?:null|true|false|__proto__)$/i
/** why: the expressions above take time in proportion to the square of a line's length, or its cube */
const MAX_LENGTH = 400
/** What YAML reads as something else than text, or might. */
const NOT_TEXT = /^(?:null|true|false|\d[\da-fox_.+:-]*)$/i

/** @returns undefined if there is anything else */
export function readPlainYaml(text: string): PlainYaml | undefined {
  // why: other line ends and invisible characters have rules of their own
  if (/[^\n\u0020-\u007e\u00a1-\u2027\u202a-\ud7ff]/.test(text)) return undefined
  const lines = text.split('\n')
  if (lines.some(({ length }) => length > MAX_LENGTH)) return undefined
  const offsets = new Map<string, number>()
  let at = 0
  let offset = 0
  const next = (): void => void (offset += lines[at++]!.length + 1)
  const indentation = (): number => lines[at]?.search(/[^ ]|$/) ?? 0
  const skipIgnored = (): void => {
    while (at < lines.length && IGNORED.test(lines[at]!)) next()
  }

  function readMap(outer: number, path: string): Record<string, unknown> {
    const map: Record<string, unknown> = {}
    skipIgnored()
    const indent = indentation()
    if (indent <= outer) throw new NotPlain()
    for (; at < lines.length && indentation() >= indent; skipIgnored()) {
      const [, spaces, key = '', written = ''] = LINE.exec(lines[at]!) ?? []
      if (spaces?.length !== indent || Object.hasOwn(map, key) || RESERVED_KEY.test(key))
        throw new NotPlain()
      const own = `${path}\0${key}`
      offsets.set(own, offset + indent)
      next()
      map[key] = written === '' ? readMap(indent, own) : readValue(written, indent)
    }
    return map
  }

  function readValue(written: string, indent: number): unknown {
    if (written === '>-') return readFolded(indent)
    if (QUOTED.test(written)) return JSON.parse(written)
    return /^[[{]/.test(written) ? readCollection(written) : readScalar(written)
  }

  /** Lines with the same indentation, without blank ones. */
  function readFolded(indent: number): string {
    const texts: string[] = []
    const deeper = indentation()
    for (; at < lines.length && indentation() > indent; next()) {
      if (indentation() !== deeper || lines[at]!.endsWith(' ')) throw new NotPlain()
      texts.push(lines[at]!.slice(deeper))
    }
    while (lines[at]?.trim() === '' && indentation() <= indent) next()
    // why: behind blank lines the text may go on, even with what looks like a comment
    if (texts.length === 0 || indentation() > indent) throw new NotPlain()
    return texts.join(' ')
  }

  try {
    const value = readMap(-1, '')
    return at < lines.length ? undefined : { value, offsets }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readScalar(written: string): unknown {
  if (!TEXT.test(written)) throw new NotPlain()
  if (!NOT_TEXT.test(written)) return written
  if (/^(?:true|false|0|[1-9]\d{0,14})$/.test(written)) return JSON.parse(written)
  throw new NotPlain()
}

/** why: with its texts in quotes a collection is JSON, whose parser rejects the rest */
function readCollection(written: string): unknown {
  if (QUOTED_KEY.test(written)) throw new NotPlain()
  const keys = new Set<string>()
  const json = written.replace(TOKEN, (_, key?: string, quoted?: string, text = '') => {
    if (key === undefined) return quoted ?? JSON.stringify(readScalar(text))
    if (keys.has(key) || RESERVED_KEY.test(key)) throw new NotPlain()
    keys.add(key)
    return `"${key}":`
  })
  return JSON.parse(json)
}

/** Rules on literals that belong to one organization, one period or one person and not to a definition. */
import type { Finding } from '../../../definitions/findings.ts'
import { PLACEHOLDERS } from '../../../definitions/definition.ts'
import type { Token } from '../../../definitions/lexer.ts'
import { allNodes, atLine, type Draft, type TextRule } from './draft.ts'
import { callsIn } from './expressions.ts'
import { everyList, flat, isGroup, isWord } from './nodes.ts'

const UUID = /^'[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'$/i
/** Dates, months and years that a report may be asked for today; 1900 and 9999 are bounds. */
const DATE = /^'20(?:1[5-9]|[23]\d)(?:-\d\d(?:-\d\d(?:[ T].*)?)?)?'$/
const YEAR = /^20(?:1[5-9]|[23]\d)$/
// why: bounded, as a line of many addresses without an `@` would be read to its end for each of them
const KEY =
  /\bsk_(?:live|test|demo|prod)_\w{4,}|\bpostgres(?:ql)?:\/\/[^\s:/]{1,100}:[^\s@]{1,1000}@/i

export const literals: TextRule = draft => {
  const strings = tokensWithLines(draft).filter(({ kind }) => kind === 'string')
  return [
    ...strings.flatMap(({ text, line }) => {
      const message = stringProblem(text)
      return message === undefined ? [] : [{ line, message }]
    }),
    ...years(draft),
    ...keys(draft),
    ...joinedStrings(draft),
  ]
}

function stringProblem(text: string): string | undefined {
  const placeholder = PLACEHOLDERS.find(name => new RegExp(`:${name}\\b`).test(text))
  if (placeholder !== undefined)
    return `:${placeholder} in quotes is a text, expected it without quotes`
  if (UUID.test(text))
    return `${text} is one organization's, or a row of it, expected :organization_id or a join`
  if (DATE.test(text))
    return `${text} is one period, expected :period_start and :period_end, or :as_of`
  return undefined
}

function tokensWithLines({ tokens, totals }: Draft): Token[] {
  return [
    ...tokens,
    ...totals.flatMap(({ nodes, line }) => flat(nodes).map(token => atLine(token, line))),
  ]
}

/** `extract(year from x) = 2026` */
function years(draft: Draft): Finding[] {
  return allNodes(draft).flatMap(nodes =>
    callsIn(nodes, 'extract', 'date_part', 'make_date').flatMap(({ name, args, rest, line }) => {
      const ofYear = isWord(args[0]?.[0], 'year') || args[0]?.[0]?.text === "'year'"
      const compared = ofYear && /^[<>=!]/.test(rest[0]?.text ?? '') ? rest[1] : undefined
      const year = name === 'make_date' ? args[0]?.[0] : compared
      if (year?.kind !== 'number' || !YEAR.test(year.text)) return []
      return [
        {
          line,
          message: `${year.text} is one period, expected :period_start and :period_end, or :as_of`,
        },
      ]
    }),
  )
}

/** In strings, comments and front matter alike. */
function keys({ text }: Draft): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const [key] = KEY.exec(content) ?? []
    if (key === undefined) return []
    return [
      {
        line: index + 1,
        message: `"${key.slice(0, 8)}..." looks like a key, expected no secret in a definition`,
      },
    ]
  })
}

/** PostgreSQL joins texts on two lines into one where a comma is missing. */
function joinedStrings(draft: Draft): Finding[] {
  return allNodes(draft).flatMap(nodes =>
    everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        const group = list[at + 1]
        if (!isWord(node, 'in', 'array') || group?.kind !== 'group') return []
        return group.nodes.flatMap((inner, index) => {
          const before = group.nodes[index - 1]
          if (isGroup(inner) || inner.kind !== 'string' || before?.kind !== 'string') return []
          const whole = `'${before.text.slice(1, -1)}${inner.text.slice(1, -1)}'`
          return [
            {
              line: inner.line,
              message: `${before.text} and ${inner.text} without a comma are ${whole}, expected a comma`,
            },
          ]
        })
      }),
    ),
  )
}

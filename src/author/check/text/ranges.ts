/** Rules on ranges and series that take in their end, which the period leaves out. */
import { moved, nextTo } from './bounds.ts'
import { withLines, type TextRule } from './draft.ts'
import { bare, callsIn, comparisonsIn, placeholderOf } from './expressions.ts'
import { byComma, everyList, flat, isGroup, isSign, isWord, nameOf, written } from './nodes.ts'
import { ENDS } from './period.ts'

const RANGES = ['daterange', 'tsrange', 'tstzrange']

/** `daterange(:period_start, :period_end, '[]')`, and `overlaps`, which is half-open by itself. */
export const ranges: TextRule = draft =>
  withLines(draft, nodes => [
    ...callsIn(nodes, ...RANGES).flatMap(({ name, args: [, to = [], third = []], line }) => {
      const [bounds] = third
      const end = placeholderOf(to) ?? ''
      if (!ENDS.includes(end) || bounds?.text.endsWith("]'") !== true) return []
      const message = `${name}(..., ${end}, ${bounds?.text}) takes in ${nextTo(end)} after the period, expected '[)'`
      return [{ line, message }]
    }),
    ...everyList(nodes).flatMap(list =>
      list.flatMap((node, at) => {
        if (!isWord(node, 'overlaps')) return []
        const groups = [list[at - 1], list[at + 1]].filter(group => isGroup(group))
        return groups.flatMap(group => {
          const end = byComma(group.nodes)[1] ?? []
          const isMoved = moved('<', bare(end)) === 'takes in the day after the period'
          if (!isMoved) return []
          const message = `overlaps ${written([group])} takes in the day after the period, expected ${end[0]?.text}: overlaps leaves out the end`
          return [{ line: node.line, message }]
        })
      }),
    ),
  ])

/** `generate_series` gives its last argument too: a row of the day after the period. */
export const seriesEnds: TextRule = draft =>
  withLines(draft, nodes => {
    const bounded = new Set(
      comparisonsIn(nodes).flatMap(({ left, sign, right }) =>
        sign === '<' && ENDS.includes(placeholderOf(right) ?? '') ? flat(left).map(nameOf) : [],
      ),
    )
    return callsIn(nodes, 'generate_series').flatMap(({ args: [, to = []], line, rest }) => {
      const end = flat(to).find(({ text }) => ENDS.includes(text))?.text
      const isPlain = flat(to).every(
        token => token.text === end || isSign(token, '::') || CASTS.has(nameOf(token) ?? ''),
      )
      const names = flat(rest.slice(0, 3)).map(nameOf)
      const isCut = names.some(name => name !== undefined && bounded.has(name))
      if (end === undefined || !isPlain || isCut) return []
      const message = `generate_series(..., ${written(to)}) gives ${nextTo(end)} after the period too, expected ${end} - ${end.endsWith('_at') ? "interval '1 day'" : '1'}`
      return [{ line, message }]
    })
  })

const CASTS = new Set(['date', 'timestamp', 'timestamptz', 'cast', 'as'])

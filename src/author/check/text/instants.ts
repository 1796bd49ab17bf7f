/** Rules on days and instants: a day begins at midnight of the organization, and never of the session's time zone. */
import { withLines, type TextRule } from './draft.ts'
import {
  bare,
  callsIn,
  columnOf,
  comparisonsIn,
  operandBefore,
  placeholderOf,
} from './expressions.ts'
import {
  everyList,
  flat,
  isGroup,
  isSign,
  isWord,
  nameOf,
  split,
  written,
  type Nodes,
} from './nodes.ts'
import { DATE_NAME, DATES, localNames, type Local } from './local-names.ts'

const INSTANTS: Readonly<Record<string, string>> = {
  ':now': ':today',
  ':period_start_at': ':period_start',
  ':period_end_at': ':period_end',
}
/** Functions that give one of their arguments. */
const CHOOSING = ['coalesce', 'nullif', 'min', 'max', 'greatest', 'least']

interface Found {
  readonly line: number
  readonly message: string
}

/** By their names, all that text tells: `moved_at` is an instant, unless it is made local under that name. */
export const localDays: TextRule = draft => {
  const local = localNames(draft)
  return withLines(draft, nodes => [
    ...castsToDate(nodes, local),
    ...callsOnInstants(nodes, local),
    ...comparedWithDates(nodes, local),
    ...comparedWithInstants(nodes),
  ])
}

function isInstant(nodes: Nodes, local: Local): boolean {
  const inner = bare(nodes)
  const terms = split(inner, node => isSign(node, '+', '-'))
  if (terms.length > 1) {
    const instants = terms.filter(term => isInstant(term, local))
    return instants.length === 1 && instants[0] === terms[0]
  }
  const placeholder = placeholderOf(inner)
  if (placeholder !== undefined) return inner.length === 1 && Object.hasOwn(INSTANTS, placeholder)
  const [name, group] = inner
  if (inner.length === 2 && isWord(name, ...CHOOSING) && isGroup(group)) {
    return split(group.nodes, node => isSign(node, ',')).some(arg => isInstant(arg, local))
  }
  const column = columnOf(inner)?.name
  return column !== undefined && column.endsWith('_at') && !local.has(column)
}

const ZONE = 'in the time zone of the session'

function castsToDate(nodes: Nodes, local: Local): Found[] {
  const casts = everyList(nodes).flatMap(list =>
    list.flatMap((node, at) => {
      if (!isSign(node, '::') || !isWord(list[at + 1], 'date', 'timestamp', 'timestamptz'))
        return []
      const type = nameOf(list[at + 1])
      const operand = operandBefore(list, at)
      const date = placeholderOf(operand)
      if (type === 'timestamptz' && date !== undefined && DATES.includes(date)) {
        return [
          {
            line: node.line,
            message: `${date}::timestamptz is midnight ${ZONE}, expected ${instantOf(date)}`,
          },
        ]
      }
      if (type === 'timestamptz' || isWord(list[at + 2], 'with') || !isInstant(operand, local))
        return []
      return [
        {
          line: node.line,
          message: `${written(operand)}::${type} is a day ${ZONE}, expected ${localOf(operand)}`,
        },
      ]
    }),
  )
  const calls = callsIn(nodes, 'cast', 'date').flatMap(({ name, args, line }) => {
    const [argument = []] = args
    const operand =
      name === 'date' ? argument : isWord(argument.at(-1), 'date') ? argument.slice(0, -2) : []
    if (args.length !== 1 || !isInstant(operand, local)) return []
    return [
      {
        line,
        message: `${name}(${written(argument)}) is a day ${ZONE}, expected ${localOf(operand)}`,
      },
    ]
  })
  return [...casts, ...calls]
}

function localOf(operand: Nodes): string {
  const placeholder = placeholderOf(operand)
  const instead = placeholder === undefined ? undefined : INSTANTS[placeholder]
  // why: hours that are added to reach a zone are in :time_zone already
  const [instant = []] = split(bare(operand), node => isSign(node, '+', '-'))
  return instead ?? `(${written(instant)} at time zone :time_zone)::date`
}

function instantOf(date: string): string {
  return DATES.indexOf(date) < 2 ? `${date}_at` : `(${date}::timestamp at time zone :time_zone)`
}

function callsOnInstants(nodes: Nodes, local: Local): Found[] {
  const calls = callsIn(nodes, 'date_trunc', 'date_part', 'date_bin', 'to_char', 'extract')
  return calls.flatMap(({ name, args, line }) => {
    const [first = [], second = []] = args
    if (name === 'date_trunc' && args.length > 2) return []
    // why: hours begin alike in whole zones, and an origin of the period's is local
    const ofDays = /day|week|\dd/i.test(first.at(-1)?.text ?? '')
    const isLocal = flat(args[2] ?? []).some(({ kind }) => kind === 'placeholder')
    if (name === 'date_bin' && (!ofDays || isLocal)) return []
    if (name === 'extract' && !isWord(first[1], 'from')) return []
    if (name === 'extract' && isWord(first[0], 'epoch')) return []
    const operand = name === 'to_char' ? first : name === 'extract' ? first.slice(2) : second
    if (!isInstant(operand, local)) return []
    const text = written(operand)
    return [
      {
        line,
        message: `${name}() of ${text} is taken ${ZONE}, expected ${text} at time zone :time_zone`,
      },
    ]
  })
}

function comparedWithDates(nodes: Nodes, local: Local): Found[] {
  return comparisonsIn(nodes).flatMap(({ left, sign, right, line }) => {
    const date = flat(right).find(({ text }) => DATES.includes(text))?.text
    const isLocal = flat(right).some(token => isWord(token, 'zone', 'timestamptz'))
    if (
      date === undefined ||
      isLocal ||
      !isInstant(left, local) ||
      placeholderOf(left) !== undefined
    )
      return []
    const expected =
      DATES.indexOf(date) < 2 ? `${date}_at` : `(${written(left)} at time zone :time_zone)::date`
    return [
      {
        line,
        message: `${written(left)} ${sign} ${date} compares an instant with a date, expected ${expected}`,
      },
    ]
  })
}

/** By their names, `paid_on` and `operation_date` are dates. */
function comparedWithInstants(nodes: Nodes): Found[] {
  return comparisonsIn(nodes).flatMap(({ left, sign, right, line }) => {
    const placeholder = placeholderOf(right)
    const date =
      placeholder === undefined || bare(right).length > 1 ? undefined : INSTANTS[placeholder]
    if (date === undefined || !DATE_NAME.test(columnOf(left)?.name ?? '')) return []
    return [
      {
        line,
        message: `${written(left)} ${sign} ${placeholder} compares a date with an instant, expected ${date}`,
      },
    ]
  })
}

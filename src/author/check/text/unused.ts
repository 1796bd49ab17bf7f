/** Rules on what nobody reads, and on front matter that says two things at once. */
import { durationMs } from '../../../definitions/durations.ts'
import type { Finding } from '../../../definitions/findings.ts'
import { DEFAULTS } from '../../../definitions/schemas.ts'
import { compileSummary } from '../../../definitions/summary.ts'
import { summaryTypes } from '../../../definitions/totals.ts'
import type { TextRule } from './draft.ts'
import { everyList, flat, isSign, isWord, nameOf, type Nodes } from './nodes.ts'
import { everyQuery } from './queries.ts'

/** A common table expression that no `from` or `join` names. */
export const readCtes: TextRule = draft => {
  const read = new Set([draft.nodes, ...draft.totals.map(({ nodes }) => nodes)].flatMap(namesRead))
  return everyQuery(draft.query).flatMap(({ ctes }) =>
    ctes.flatMap(({ name, line }) =>
      read.has(name)
        ? []
        : [
            {
              line,
              message: `nobody reads ${name}, expected a from or join of it, or no such part`,
            },
          ],
    ),
  )
}

function namesRead(nodes: Nodes): string[] {
  return everyList(nodes).flatMap(list =>
    list.flatMap((node, at) => {
      const before = list[at - 1]
      // why: an opening bracket too, as in `from (a join b ...)`
      const isRead =
        before === undefined ||
        isWord(before, 'from', 'join', 'only', 'lateral', 'table') ||
        isSign(before, ',')
      const name = nameOf(node)
      const defines = isWord(list[at + 1], 'as') && list[at + 2]?.kind === 'group'
      return isRead && name !== undefined && !defines ? [name] : []
    }),
  )
}

/** Hidden columns and facts serve the summary and totals, and hidden columns the order. */
export const servesSomebody: TextRule = ({ report, bringsTotals, totals, query, lineOf }) => {
  if (report === undefined) return []
  const types = summaryTypes(report, true)
  const texts = [report.summary, report.emptySummary ?? DEFAULTS.emptySummary]
  const compiled = texts.map(text => compileSummary(text, types))
  // why: a name that the summary misspells may be meant for any of them
  if (compiled.some(({ findings }) => findings.length > 0)) return []
  const said = new Set(compiled.flatMap(({ names }) => Array.from(names)))
  // why: a sentence without figures is said by loading, and what they were for is its echo
  if (![...said].some(name => types.has(name) || name === 'row_count')) return []
  const ordering = flat(query.orderBy ?? [])
  const inOrder = new Set(ordering.map(nameOf))
  const unread = (name: string, group: string, expected: string): Finding => ({
    line: lineOf([group, name]),
    message: `${group}.${name}: nobody reads it, expected ${expected} to name it`,
  })
  const others = (name: string) => totals.filter(total => total.name !== name)
  const hidden = Object.keys(report.columns).filter(name => report.columns[name]?.hidden === true)
  const inTotals = (name: string) =>
    others(name).some(({ nodes }) => flat(nodes).some(token => nameOf(token) === name))
  const byPosition = ordering.some(({ kind }) => kind === 'number')
  return [
    ...hidden
      .filter(name => !said.has(name) && !inTotals(name) && !inOrder.has(name) && !byPosition)
      .map(name =>
        unread(
          name,
          'columns',
          bringsTotals ? 'the summary or order by' : 'the summary, a total or order by',
        ),
      ),
    ...Object.keys(report.facts ?? {})
      .filter(name => !said.has(name))
      .map(name => unread(name, 'facts', 'the summary')),
  ]
}

/** Of two things with one title a reader cannot tell which is which. */
export const titles: TextRule = (draft, all) => {
  const { report, metrics, lineOf } = draft
  const findings: Finding[] = []
  const seen = new Map<string, string>()
  const columns = Object.entries(report?.columns ?? {}).filter(([, { hidden }]) => hidden !== true)
  for (const [name, { title }] of columns) {
    const other = seen.get(title)
    if (other === undefined) seen.set(title, name)
    else {
      const message = `columns.${name}: «${title}» is the title of ${other} too, expected one of its own`
      findings.push({ line: lineOf(['columns', name, 'title']), message })
    }
  }
  const earlier = all.slice(0, all.indexOf(draft))
  const sameReport = earlier.find(
    other => report !== undefined && other.report?.title === report.title,
  )
  if (sameReport !== undefined) {
    const message = `title: «${report?.title}» is that of ${sameReport.file} too, expected one of its own`
    findings.push({ line: lineOf(['title']), message })
  }
  const metricTitles = new Map(
    earlier.flatMap(other =>
      Object.values(other.metrics?.metrics ?? {}).map(({ title }) => [title, other.file]),
    ),
  )
  for (const [code, { title }] of Object.entries(metrics?.metrics ?? {})) {
    const other = metricTitles.get(title)
    if (other === undefined) metricTitles.set(title, draft.file)
    else {
      const message = `metrics.${code}: «${title}» is a title in ${other} too, expected one of its own`
      findings.push({ line: lineOf(['metrics', code, 'title']), message })
    }
  }
  return findings
}

/** `stale` is how old an answer may be in need: longer than it is fresh anyway. */
export const staleAfterFresh: TextRule = ({ report, metrics, lineOf }) => {
  const matter = report ?? metrics
  if (matter?.stale === undefined) return []
  const { open, closed } = { ...DEFAULTS.fresh, ...matter.fresh }
  const shorter = durationMs(open) <= durationMs(closed) ? open : closed
  if (durationMs(matter.stale) >= durationMs(shorter)) return []
  const message = `stale: found ${matter.stale}, expected at least ${shorter}, for which an answer is fresh`
  return [{ line: lineOf(['stale']), message }]
}

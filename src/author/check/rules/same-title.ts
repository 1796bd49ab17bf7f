import type { Draft } from './draft.ts'
import type { TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = (draft, all) => {
  const before = all
    .slice(
      0,
      all.findIndex(({ file }) => file === draft.file),
    )
    .flatMap(titlesOf)
  return titlesOf(draft).flatMap(({ among, path, title }, at, own) => {
    const other = [...before, ...own.slice(0, at)].find(
      one => one.among === among && one.title === title,
    )
    if (other === undefined) return []
    const message = `${path.slice(0, 2).join('.')}: «${title}» is the title of ${other.owner} too, expected one of its own`
    return [{ line: draft.lineOf(path), message }]
  })
}

export const sameTitle: Rule = {
  id: 'same-title',
  level: 'warning',
  sentence: 'Two columns, or two reports, have one title.',
  bad: 'pieces: { title: Amount, type: integer, total: none }',
  good: 'pieces: { title: Pieces, type: integer, total: none }',
  find,
}

/** @returns titles with the scope in which they must differ: a report's columns, all reports, all metrics */
function titlesOf({ file, report, metrics }: Draft) {
  const columns = Object.entries(report?.columns ?? {}).filter(([, { hidden }]) => hidden !== true)
  return [
    ...columns.map(([name, { title }]) => {
      const path = ['columns', name, 'title']
      return { among: file, path, owner: name, title }
    }),
    ...(report ? [{ among: 'reports', path: ['title'], owner: file, title: report.title }] : []),
    ...Object.entries(metrics?.metrics ?? {}).map(([name, { title }]) => {
      const path = ['metrics', name, 'title']
      return { among: 'metrics', path, owner: file, title }
    }),
  ]
}

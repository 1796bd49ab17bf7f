/** Reads one answer row by row, as the gateway would encode it, and says what it could not encode. */
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import type { MatterPath } from '../../definitions/front-matter.ts'
import { hasTotal } from '../../definitions/totals.ts'
import type { Field } from '../../serve/replica/prepared.ts'
import type { RawField } from '../../model/terms.ts'
import { createKeyReader, createTieReader } from './identity.ts'
import type { Question } from './questions.ts'
import type { Firsts } from './firsts.ts'
import type { Prepared } from './subject.ts'
import { createValueCheck } from './values.ts'
import { lineOfColumn } from './written.ts'

export interface AnswerReader {
  begin(fields: readonly Field[]): void
  row(values: readonly RawField[]): void
  end(): void
}

export function createReportReader(
  definition: ReportDefinition,
  subject: Prepared,
  question: Question,
  firsts: Firsts,
): AnswerReader {
  const { source, columns, maxRows, labelColumn } = definition
  const { lineOf, matter, bringsTotals } = source
  const { said, bindings } = question
  const check = createValueCheck(definition, subject, question, firsts)
  const key = createKeyReader(definition, question, firsts)
  const tie = createTieReader(subject, question, firsts)
  const lined = columns.map(({ key, type }) => ({ key, type, line: lineOf(['columns', key]) }))
  let places = new Map<string, number>()
  let totals: Map<string, RawField> | undefined
  let totalsRows = 0
  let rowCount = 0
  const at = (values: readonly RawField[], name: string) => values[places.get(name) ?? -1]

  function readTotals(values: readonly RawField[]): void {
    totalsRows += 1
    totals = new Map([...places].map(([name, place]) => [name, values[place] ?? null]))
    for (const [name, type] of definition.summaryColumns) {
      const isFact = matter.facts !== undefined && Object.hasOwn(matter.facts, name)
      const path: MatterPath = [isFact ? 'facts' : 'columns', name]
      const hasOwn = !bringsTotals && (isFact || hasTotal(matter.columns[name]?.total))
      const line = lineOf(hasOwn ? [...path, 'total'] : path)
      // why: the label's total is «Итого», whatever the statement gives
      if (name !== labelColumn) check(name, type, at(values, name), line, 'in the totals row')
    }
  }

  function checkTotals(): void {
    const { firstLine } = subject.written
    const found = places.has('is_total') ? totalsRows : 1
    if (found !== 1) {
      const message = `found ${found === 0 ? 'no' : found} totals row${found === 0 ? '' : 's'} (${said}), expected exactly one for every organization and period`
      firsts.add('totals rows', lineOfColumn(subject.written, 'is_total'), message)
    }
    const promised = totals?.get('row_count') ?? null
    if (promised !== null && found === 1 && Number(promised) !== rowCount) {
      const message = `row_count says ${promised} and there are ${rowCount} rows (${said}), expected their number`
      firsts.add('row_count', firstLine, message)
    }
  }

  function checkSentences(): void {
    if (totals === undefined || totalsRows > 1) return
    for (const path of ['summary', 'emptySummary'] as const) {
      try {
        const count = path === 'summary' ? Math.max(rowCount, 1) : 0
        definition.summarize({ ...bindings, fields: totals, rowCount: count })
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        if (check.hasFound()) continue
        const message = `${path} cannot be said (${said}): ${why}, expected figures of their types`
        firsts.add(path, lineOf([path]), message)
      }
    }
  }

  return {
    begin(fields) {
      places = new Map(fields.map(({ name }, place) => [name, place]))
      key.begin(places)
      tie.begin(places)
    },
    row(values) {
      if (at(values, 'is_total') === 't') return readTotals(values)
      rowCount += 1
      if (rowCount > maxRows) return
      for (const { key, type, line } of lined) check(key, type, at(values, key), line, 'in a row')
      if (at(values, labelColumn) === null) {
        const message = `column "${labelColumn}" is null in a row (${said}), expected a text: it is the rows' label`
        firsts.add('label', lineOf(['columns', labelColumn]), message)
      }
      key.row(values)
      tie.row(values)
    },
    end() {
      if (rowCount > maxRows) {
        const message = `found ${rowCount} rows (${said}), expected at most maxRows, ${maxRows}`
        firsts.add('maxRows', lineOf(['maxRows']), message)
      }
      checkTotals()
      checkSentences()
    },
  }
}

export function createMetricsReader(
  definition: MetricsDefinition,
  subject: Prepared,
  question: Question,
  firsts: Firsts,
): AnswerReader {
  const check = createValueCheck(definition, subject, question, firsts)
  let places = new Map<string, number>()
  let rowCount = 0
  return {
    begin(fields) {
      places = new Map(fields.map(({ name }, place) => [name, place]))
    },
    row(values) {
      rowCount += 1
      for (const { code, format } of definition.metrics) {
        const value = values[places.get(code) ?? -1]
        check(code, format, value, definition.source.lineOf(['metrics', code]), 'in its row')
      }
    },
    end() {
      if (rowCount === 1) return
      const message = `found ${rowCount} rows (${question.said}), expected one row of metrics`
      firsts.add('rows', subject.written.firstLine, message)
    },
  }
}

/**
 * Definitions as somebody writes them who does not tune: statements of `naive/` under the front matter of ours, so that
 * columns, totals and placeholders are the same. Knows no database.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type {
  Catalog,
  Definition,
  MetricsDefinition,
  ReportDefinition,
} from '../../../src/definitions/definition.ts'
import { DefinitionErrors, findingsOf } from '../../../src/definitions/findings.ts'
import type { Parsed } from '../../../src/definitions/findings.ts'
import { parseMetrics } from '../../../src/definitions/metrics.ts'
import { parseReport } from '../../../src/definitions/report.ts'
import type { SourceFile } from '../../../src/definitions/source-file.ts'

const NAIVE = fileURLToPath(new URL('../../../../test/bench/sql/naive/', import.meta.url))
const END_OF_MATTER = '---*/\n'

export interface NaiveCatalog {
  /** By code, all that the tuned catalogue has. */
  readonly reports: ReadonlyMap<string, ReportDefinition>
  /** By area. */
  readonly metricsFiles: ReadonlyMap<string, MetricsDefinition>
}

/** @throws DefinitionErrors where a naive statement does not load; Error where one is missing. */
export function naiveCatalog({ reports, metricsFiles }: Catalog): NaiveCatalog {
  return {
    reports: new Map(
      [...reports].map(([code, tuned]) => {
        const source = naiveSource(tuned, `reports/${tuned.group}/${code}.sql`, code)
        return [code, loaded(source, parseReport(source, tuned.group))]
      }),
    ),
    metricsFiles: new Map(
      [...metricsFiles].map(([area, tuned]) => {
        const source = naiveSource(tuned, `metrics/${area}.sql`, area)
        return [area, loaded(source, parseMetrics(source))]
      }),
    ),
  }
}

function naiveSource({ source, version }: Definition, file: string, code: string): SourceFile {
  const end = source.text.indexOf(END_OF_MATTER) + END_OF_MATTER.length
  const text = `${source.text.slice(0, end)}${readFileSync(`${NAIVE}${file}`, 'utf8')}`
  return { file: `test/bench/sql/naive/${file}`, code, text, version }
}

function loaded<Found>({ file }: SourceFile, { findings, value }: Parsed<Found>): Found {
  if (value === undefined) throw new DefinitionErrors(findingsOf(file, findings))
  return value
}

/** Which format a report is asked in: by its path's suffix, by `?format=`, by `Accept`, in that order. */
import type { ParsedUrlQuery } from 'node:querystring'
import { printable, Problem } from '../../model/errors.ts'
import { isReportFormat, OFFERED_FORMATS } from '../formats/catalog.ts'
import type { Format } from '../formats/format.ts'
import { chooseMediaType } from './negotiation.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { ReportFormat } from '../../model/terms.ts'

interface ChosenFormat {
  readonly name: ReportFormat
  readonly format: Format
  /** What of the query it hangs on, for `Content-Location`. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  /** Parameters whose values were read; the others are ignored. */
  readonly readParameters: readonly string[]
}

/** What a path names: `profit_loss.csv` is a report and a suffix. */
interface ReportName {
  readonly code: string
  readonly extension: ReportFormat | undefined
}

/** Undefined where the suffix is of no format. */
export function reportName(text: string): ReportName | undefined {
  const point = text.lastIndexOf('.')
  if (point < 0) return { code: text, extension: undefined }
  const extension = text.slice(point + 1)
  return isReportFormat(extension) ? { code: text.slice(0, point), extension } : undefined
}

/** @throws Problem `bad_format` that says what was found and what there is. */
export function chooseFormat(
  extension: ReportFormat | undefined,
  query: ParsedUrlQuery,
  accept: string,
): ChosenFormat {
  const asked = namedFormat(query['format'])
  const name = extension ?? asked ?? acceptedFormat(accept)
  const { format, variant } = OFFERED_FORMATS[name]
  if (variant === undefined) return { name, format, parameters: [], readParameters: ['format'] }
  const { parameter } = variant
  const readParameters = ['format', parameter]
  const value = query[parameter]
  // why: parameters of other formats mean nothing, and are ignored
  if (value === undefined) return { name, format, parameters: [], readParameters }
  const values = VALUES[parameter]
  if (typeof value !== 'string' || !values.includes(value))
    throw badParameter(parameter, value, values)
  if (value !== variant.value) return { name, format, parameters: [], readParameters }
  return { name, format: variant.format, parameters: [[parameter, value]], readParameters }
}

function typesOf(name: ReportFormat): readonly string[] {
  return OFFERED_FORMATS[name].mediaTypes
}

/** An `Accept` that fits nothing gets the first. */
function acceptedFormat(accept: string): ReportFormat {
  const type = chooseMediaType(accept, REPORT_FORMATS.flatMap(typesOf))
  return REPORT_FORMATS.find(name => typesOf(name).includes(type ?? '')) ?? REPORT_FORMATS[0]
}

/** The values that each parameter of a format may have. */
const VALUES: Readonly<Record<'preset' | 'end', readonly string[]>> = {
  preset: ['excel'],
  end: ['true', 'false'],
}

function namedFormat(value: string | string[] | undefined): ReportFormat | undefined {
  if (value === undefined || isReportFormat(value)) return value
  throw badParameter('format', value, REPORT_FORMATS)
}

function badParameter(
  name: string,
  value: string | readonly string[],
  values: readonly string[],
): Problem {
  return new Problem('bad_format', {
    ru: `Параметр ${name} ${foundIn(value, 'ru')}, а ожидалось одно из: ${values.join(', ')}.`,
    en: `Parameter ${name} ${foundIn(value, 'en')}; expected one of ${values.join(', ')}.`,
  })
}

function foundIn(value: string | readonly string[], language: 'ru' | 'en'): string {
  if (typeof value !== 'string') {
    return language === 'ru' ? 'указан больше одного раза' : 'is given more than once'
  }
  if (value === '') return language === 'ru' ? 'пуст' : 'is empty'
  return language === 'ru' ? `равен «${printable(value)}»` : `is "${printable(value)}"`
}

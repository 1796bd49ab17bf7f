/** Chooses a report's format: by the path's suffix, else by `?format=`, else by `Accept`. */
import { Problem } from '../../model/errors.ts'
import { isReportFormat, OFFERED_FORMATS } from '../formats/catalog.ts'
import type { Format } from '../formats/format.ts'
import { valueWords } from './read-parameters.ts'
import type { Parameters } from './read-parameters.ts'
import { chooseMediaType, remembered } from './negotiation.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { ReportFormat } from '../../model/terms.ts'

export const FORMAT_PARAMETERS = ['format', 'preset', 'end'] as const

interface ChosenFormat {
  readonly name: ReportFormat
  readonly format: Format
  /** The query parameters that selected the format, for `Content-Location`. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

/** The parts of a path's last segment: `profit_loss.csv` is a code and an extension. */
interface ReportName {
  readonly code: string
  readonly extension: ReportFormat | undefined
}

/** Undefined if the extension is not a format. */
export function reportName(text: string): ReportName | undefined {
  const point = text.lastIndexOf('.')
  if (point < 0) return { code: text, extension: undefined }
  const extension = text.slice(point + 1)
  return isReportFormat(extension) ? { code: text.slice(0, point), extension } : undefined
}

/** @throws Problem `bad_format` with the invalid value and the valid ones. */
export function chooseFormat(
  extension: ReportFormat | undefined,
  { values }: Parameters,
  accept: string | undefined,
): ChosenFormat {
  const requested = namedFormat(values['format'])
  const name = extension ?? requested ?? acceptedFormat(accept)
  const { format, variant } = OFFERED_FORMATS[name]
  // why: aliases of the fast path contain what was read, so a value must be one of these even if another format is chosen
  for (const [parameter, allowed] of Object.entries(VALUES)) {
    const value = values[parameter]
    if (value !== undefined && !allowed.includes(value))
      throw badParameter(parameter, value, allowed)
  }
  if (variant === undefined || values[variant.parameter] !== variant.value)
    return { name, format, parameters: [] }
  return { name, format: variant.format, parameters: [[variant.parameter, variant.value]] }
}

/** Media types as `Accept` may name them, with the parameters of the format: `text/csv; charset=utf-8`. */
const FORMAT_OF_TYPE: ReadonlyMap<string, ReportFormat> = new Map(
  REPORT_FORMATS.flatMap(name => {
    const { format, mediaTypes } = OFFERED_FORMATS[name]
    return [format.contentType, ...mediaTypes.slice(1)].map(type => [type, name] as const)
  }),
)
const OFFERED_TYPES = [...FORMAT_OF_TYPE.keys()]

/** The default format if none is acceptable. */
const acceptedFormat = remembered(
  accept => FORMAT_OF_TYPE.get(chooseMediaType(accept, OFFERED_TYPES) ?? '') ?? REPORT_FORMATS[0],
)

/** Valid values of the parameters. */
const VALUES: Readonly<Record<'preset' | 'end', readonly string[]>> = {
  preset: ['excel'],
  end: ['true', 'false'],
}

function namedFormat(value: string | undefined): ReportFormat | undefined {
  if (value === undefined || isReportFormat(value)) return value
  throw badParameter('format', value, REPORT_FORMATS)
}

function badParameter(name: string, value: string, values: readonly string[]): Problem {
  return new Problem('bad_format', {
    ru: `Параметр ${name} ${valueWords(value, 'ru')}, а ожидалось одно из: ${values.join(', ')}.`,
    en: `Parameter ${name} ${valueWords(value, 'en')}; expected one of ${values.join(', ')}.`,
  })
}

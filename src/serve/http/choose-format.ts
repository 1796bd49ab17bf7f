/** Chooses a report's format: by the path's suffix, else by `?format=`, else by `Accept`. */
import { OFFERED_FORMATS } from '../formats/catalog.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { ReportFormat } from '../../model/terms.ts'
import { negotiate, remembered } from './negotiation.ts'
import type { ParameterValues } from './read-parameters.ts'

/** @returns with the query parameter that selected a variant, for `Content-Location` */
export function chooseFormat(
  extension: ReportFormat | undefined,
  values: ParameterValues,
  accept: string | undefined,
) {
  const name = extension ?? values.format ?? acceptedFormat(accept)
  const { format, variant } = OFFERED_FORMATS[name]
  if (variant === undefined || values[variant.parameter] !== variant.value)
    return { name, format, query: {} }
  return { name, format: variant.format, query: { [variant.parameter]: variant.value } }
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
const acceptedFormat = remembered((accept): ReportFormat => {
  const type = negotiate('accept', accept).types(OFFERED_TYPES)
  return FORMAT_OF_TYPE.get(String(type)) ?? REPORT_FORMATS[0]
})

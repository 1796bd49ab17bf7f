/** The input of a script's template. */
import type { IsoDate } from '../../model/terms.ts'
import type { ReportSchema } from '../openapi/schema.ts'

/** What a script is written for. */
export interface KitSource {
  /** Of the API, as `https://reports.example.com/api/public/v1`. */
  readonly baseUrl: string
  /** One report, or all of the catalog. */
  readonly reports: readonly ReportSchema[]
  /** First day. */
  readonly from: IsoDate
  /** Last day, inclusive; by default the end of the current year when the script is executed. */
  readonly to?: IsoDate | undefined
}

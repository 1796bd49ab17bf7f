/** Formats that people read are written in strings, a row at a time: few rows, and many widths to mind. */
import { rawField } from '../../model/row-bytes.ts'
import type { RawField } from '../../model/terms.ts'
import type { BodyWriter, Ending } from '../../serve/formats/format.ts'
import { writeText } from '../../serve/formats/output.ts'

/** As `BodyWriter`. Fields come in the order of the definition's visible columns. */
export interface TextWriter {
  head(): string
  row(fields: readonly RawField[]): string
  tail(ending: Ending): string
}

export function writtenAsText(writer: TextWriter): BodyWriter {
  return {
    head: output => writeText(output, writer.head()),
    row(output, row, places) {
      const fields = places.map(place => rawField(row, place))
      writeText(output, writer.row(fields))
    },
    tail: (output, ending) => writeText(output, writer.tail(ending)),
  }
}

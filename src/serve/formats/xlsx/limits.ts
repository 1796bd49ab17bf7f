/** What no XLSX file can hold. Nothing is cut to fit: the answer is refused. */
import type { Bytes } from '../../../model/terms.ts'
import { NoRoomError } from '../format.ts'

/** Of a sheet, with titles and totals. */
export const MAX_SHEET_ROWS = 1_048_576

/** UTF-16 code units; Excel calls a file with more of them in a cell corrupt. */
export const MAX_CELL_LENGTH = 32_767

/** Excel's numbers keep so many; the next digit would become a zero. */
export const MAX_DIGITS = 15

/** Of a part, as long as a zip file has no zip64 records. */
export const MAX_PART_BYTES: Bytes = 2 ** 32 - 1

/** @param title of the column, as its readers know it */
export function cellTooLong(title: string, length: number): NoRoomError {
  return new NoRoomError({
    ru: `В столбце «${title}» есть значение длиной ${length} знаков, а ячейка Excel вмещает не больше ${MAX_CELL_LENGTH}. Возьмите отчёт в CSV или JSON.`,
    en: `The column "${title}" has a value of ${length} characters, and a cell of Excel holds ${MAX_CELL_LENGTH} at most. Take the report as CSV or JSON.`,
  })
}

export function partTooLarge(): NoRoomError {
  return new NoRoomError({
    ru: 'Лист Excel вышел бы больше 4 ГБ. Возьмите период короче или отчёт в CSV.',
    en: 'The sheet of Excel would be larger than 4 GB. Take a shorter period, or the report as CSV.',
  })
}

/** Formats in English of bodies and of the page. */
import type { RU_FORMATS } from '../ru/formats.ts'

export const EN_FORMATS: typeof RU_FORMATS = {
  locale: 'en-GB',
  // why: 08/05/2025 has two meanings
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dateBases: {
    accrual: 'by accrual date',
    payment: 'by payment date',
    due: 'by due date',
    shipment: 'by shipment date',
    movement: 'by movement date',
    creation: 'by creation date',
    completion: 'by completion date',
    event: 'each figure by the date of its event',
    state: 'state at the end of the period',
  },
  pageOf: 'of',
  severalCurrencies: 'Amounts are not totalled, as rows may have different currencies.',
  percent: '%',
  days: 'd',
  hours: 'h',
  percentagePoints: 'p.p.',
  excel: {
    separator: ',',
    decimal: '.',
    isDayFirst: false,
    yearWord: '',
    cells: { date: 'd\\ mmm\\ yyyy', month: 'mmm\\ yyyy', percent: '%' },
  },
  search: { endings: '(?<=.{3})(?:e?s|ed|ing)', ignored: 'for in my of the to' },
}

/** Sentences and labels of bodies, in English. */
import type { RU_BODIES } from '../ru/bodies.ts'

export const EN_BODIES: typeof RU_BODIES = {
  total: 'Total',
  emptySummary: 'There is no data {in_period}.',
  ofSelection: (sentence, words) => `${sentence.replace(/\.$/, '')} (${words}).`,
  date: (dayAndMonth, year) => `${dayAndMonth} ${year}`,
  month: (name, year) => `${name} ${year}`,
  year: year => year,
  between: (from, to) => `from ${from} to ${to}`,
  period: between => `the period ${between}`,
  inPeriod: (words, kind, between) =>
    kind === 'days' ? between : `${kind === 'day' ? 'on' : 'in'} ${words}`,
  onDay: date => `as of ${date}`,
  comparison: {
    previous: 'previous period',
    year: 'previous year',
    change: 'change',
    points: 'p.p.',
  },
  workbook: {
    sheet: 'Report',
    aboutSheet: 'About',
    report: 'Report',
    description: 'Description',
    organization: 'Organization',
    period: 'Period',
    state: 'Date',
    selection: 'Filters',
    dataAsOf: 'Data as of',
    timeZone: 'Time zone',
    rows: 'Rows',
    summary: 'Summary',
    columns: 'columns',
    compared: 'comparison',
    true: 'yes',
    false: 'no',
    asText: 'As text (more than 15 digits)',
    rounded: 'Rounded to 15 digits',
    omitted: 'Empty (before 1 March 1900)',
  },
  starting: {
    title: 'New report',
    month: 'Month',
    records: 'Records',
    summary:
      '{records, plural, one {There was # record} other {There were # records}} {in_period}.',
  },
  check: {
    units: { money: '[$€£¥]|dollars?|euros?', percent: '%|per ?cent' },
  },
}

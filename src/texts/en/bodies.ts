/** Sentences and labels of bodies, in English. */
import type { RU_BODIES } from '../ru/bodies.ts'

export const EN_BODIES: typeof RU_BODIES = {
  total: 'Total',
  emptySummary: 'There are no data {in_period}.',
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
    state: 'State',
    selection: 'Selection',
    dataAsOf: 'Data as of',
    timeZone: 'Time zone',
    rows: 'Rows',
    summary: 'Summary',
    columns: 'columns',
    compared: 'compared with',
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
    summary: 'There were {records, plural, one {# record} other {# records}} {in_period}.',
  },
  check: {
    units: { money: '[$€£¥]|dollars?|euros?', percent: '%|per ?cent' },
  },
}

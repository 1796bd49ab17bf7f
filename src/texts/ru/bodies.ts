/** Sentences and labels of bodies, in Russian. */
export const RU_BODIES = {
  total: 'Итого',
  emptySummary: 'За {period} данных нет.',
  /** @param words `Склад: Основной; Вид: Доходы` */
  ofSelection: (sentence: string, words: string) => `${sentence.replace(/\.$/, '')} (${words}).`,
  /** @param dayAndMonth as Intl writes it */
  date: (dayAndMonth: string, year: string) => `${dayAndMonth} ${year} года`,
  month: (name: string, year: string) => `${name} ${year} года`,
  year: (year: string) => `${year} год`,
  /** @param from as much of the first date as differs from the last */
  between: (from: string, to: string) => `с ${from} по ${to}`,
  period: (between: string) => `период ${between}`,
  /** @param words of the period */
  inPeriod: (words: string, _kind: 'year' | 'month' | 'day' | 'days', _between: string) =>
    `за ${words}`,
  onDay: (date: string) => `на ${date}`,
  comparison: {
    previous: 'прошлый период',
    year: 'прошлый год',
    change: 'изменение',
    points: 'п. п.',
  },
  workbook: {
    sheet: 'Отчёт',
    aboutSheet: 'Об отчёте',
    report: 'Отчёт',
    description: 'Описание',
    organization: 'Организация',
    period: 'Период',
    state: 'Состояние',
    selection: 'Отбор',
    dataAsOf: 'Данные на',
    timeZone: 'Часовой пояс',
    rows: 'Строк',
    summary: 'Вывод',
    columns: 'столбцы',
    compared: 'сравнение',
    true: 'да',
    false: 'нет',
    asText: 'Текстом (больше 15 цифр)',
    rounded: 'Округлено до 15 цифр',
    omitted: 'Пусто (до 1 марта 1900)',
  },
  /** Of what `svodka new` makes. */
  starting: {
    title: 'Новый отчёт',
    month: 'Месяц',
    records: 'Записей',
    summary:
      'За {period} {records, plural, one {# запись} few {# записи} many {# записей} other {# записи}}.',
  },
  /** What the check of a summary finds: a unit after an argument. */
  check: {
    units: { money: '₽|руб(?:\\.|л[а-я]+)?', percent: '%|процент[а-я]*' },
  },
}

/** Formats in Russian of bodies and of the page, as JSON can have them. */
export const RU_FORMATS = {
  /** Of Intl. */
  locale: 'ru-RU',
  /** A date on the page. */
  day: { day: '2-digit', month: '2-digit', year: 'numeric' } as Intl.DateTimeFormatOptions,
  /** The date that a period applies to. */
  dateBases: {
    accrual: 'по дате начисления',
    payment: 'по дате оплаты',
    due: 'по сроку оплаты',
    shipment: 'по дате отгрузки',
    movement: 'по дате движения товара',
    creation: 'по дате создания',
    completion: 'по дате завершения',
    event: 'каждый показатель по дате своего события',
    state: 'состояние на конец периода',
  },
  /** Between a page's number and the number of pages. */
  pageOf: 'из',
  /** Why a total is empty. */
  severalCurrencies: 'Суммы без итога: валюты строк могут быть разными.',
  percent: '\u00a0%',
  days: 'дн.',
  hours: 'ч',
  percentagePoints: 'п.\u00a0п.',
  /** Of CSV for Excel: a month and its year, such as a label `Январь 2026`, get the word, as Excel reads them as a date. */
  excel: {
    separator: ';',
    decimal: ',',
    isDayFirst: true,
    yearWord: ' года',
    /** Formats of cells. */
    cells: { date: 'dd\\.mm\\.yyyy', month: 'mm\\.yyyy', percent: '\\ %' },
  },
  search: {
    /** Expressions, of which each may end a word after the one before was cut. */
    // why: «прибыль» also means «прибыли», «просроченные» also «просрочено»
    endings:
      '(?<=.{3})(?:[ыи]ми|[оаея]ми|[оеи]го|[оеи]му|[аоеиыую][еийюях]|[аоеиыя]м|[ое]в|[ао]ть|ить|[аеийоуыьэюя]) (?<=н)н',
    /** Words that say nothing of what is wanted. */
    ignored:
      'в во за и из к как какие какой кто мне мои мой мы на нам нас наш наши о об от по с сколько со у что я for in my of the to',
  },
}

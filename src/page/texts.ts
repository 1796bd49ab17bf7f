/** The words of the page, Russian and English. Titles of reports and metrics are those of the definitions. */

const REPEATED = ['Запрос повторится сам.', 'The request is repeated.'] as const

const WORDS = {
  name: ['Сводка', 'Svodka'],
  reports: ['Отчёты', 'Reports'],
  metrics: ['Показатели', 'Metrics'],
  reference: ['Справочник API', 'API reference'],
  logOut: ['Выйти', 'Log out'],
  skip: ['К содержанию', 'Skip to the content'],
  anotherKey: ['Войти с другим ключом', 'Log in with another key'],
  keyTitle: ['Вход по ключу', 'Log in with a key'],
  keyLead: [
    'Введите ключ API вашей организации. Он создаётся в личном кабинете.',
    "Enter your organization's API key. You create it in your web account.",
  ],
  key: ['Ключ API', 'API key'],
  keySubmit: ['Открыть отчёты', 'Open reports'],
  keySafety: [
    'Ключ хранится, пока открыта хотя бы одна вкладка этой страницы: ни в адресе, ни в файлах cookie его нет.',
    'The key is kept while a tab of this page is open. It is in no address and in no cookie.',
  ],
  keyImpossible: ['В ключе латиница, цифры, знаки.', 'A key is of Latin letters, digits, signs.'],
  show: ['Показать', 'Show'],
  hide: ['Скрыть', 'Hide'],
  search: ['Найти отчёт', 'Find a report'],
  searchHint: ['долг, прибыль, склад', 'receivables, profit, stock'],
  nothingFound: ['Ничего не нашлось. Попробуйте другое слово.', 'Nothing found. Try another word.'],
  found: ['Найдено', 'Found'],
  shown: ['Показано', 'Shown'],
  withFuture: ['с операциями с будущими датами', 'with operations of later dates'],
  withoutFuture: ['без операций с будущими датами', 'without operations of later dates'],
  noData: [
    'За этот период данных нет. Выберите другой период или внесите в программу операции, сделки и товары.',
    'There are no data in this period. Choose another one, or enter operations, deals and goods into the product.',
  ],
  moreMetrics: ['Все показатели', 'All metrics'],
  cashGap: ['Кассовый разрыв, наибольший', 'Cash gap, largest'],
  fewerMetrics: ['Только главные', 'Main metrics only'],
  loading: ['Загружаем…', 'Loading…'],
  period: ['Период', 'Period'],
  periods: {
    month: ['Этот месяц', 'This month'],
    lastMonth: ['Прошлый месяц', 'Last month'],
    quarter: ['Этот квартал', 'This quarter'],
    lastQuarter: ['Прошлый квартал', 'Last quarter'],
    yearToDate: ['С начала года', 'Year to date'],
    year: ['Этот год', 'This year'],
    lastYear: ['Прошлый год', 'Last year'],
    own: ['Свои даты', 'Own dates'],
  },
  day: ['На', 'As of'],
  days: {
    today: ['На сегодня', 'Today'],
    lastMonth: ['На конец прошлого месяца', 'End of last month'],
    lastQuarter: ['На конец прошлого квартала', 'End of last quarter'],
    lastYear: ['На конец прошлого года', 'End of last year'],
    own: ['На другую дату', 'Another day'],
  },
  comparison: ['Сравнение', 'Comparison'],
  comparisons: {
    '': ['Без сравнения', 'No comparison'],
    previous: ['С прошлым периодом', 'With the previous period'],
    year: ['С прошлым годом', 'With the previous year'],
  },
  beneathValues: ['под значением — сравнение с периодом', 'beneath a value: comparison with'],
  changes: {
    previous: ['к прошлому периоду', 'vs the previous period'],
    year: ['к прошлому году', 'vs the previous year'],
  },
  from: ['С', 'From'],
  to: ['По', 'To'],
  find: ['Найти в таблице', 'Find in the table'],
  totalFound: ['Итого по найденному', 'Total of the found'],
  /** Titles of columns of a comparison. */
  added: {
    compared: ['для сравнения', 'compared'],
    change: ['изменение', 'change'],
    change_percent: ['изменение, %', 'change, %'],
  },
  selection: ['Отбор', 'Selection'],
  anyValue: ['Все', 'All'],
  unknownValue: ['Выберите значение из списка.', 'Choose a value of the list.'],
  yes: ['Да', 'Yes'],
  no: ['Нет', 'No'],
  rows: ['Строк', 'Rows'],
  rowsFound: ['Найдено строк', 'Rows found'],
  firstRows: ['Показаны первые', 'Shown are the first'],
  newestRows: ['Показаны последние', 'Shown are the newest'],
  firstRowsOf: ['из', 'of'],
  firstRowsMore: ['Все — в файле: «Скачать».', 'All of them are in the file: Download.'],
  shorterPeriod: [
    'Искать и сортировать столько строк нельзя: выберите период короче или откройте файл.',
    'These are too many to search and sort: choose a shorter period, or open the file.',
  ],
  moreThan: ['более', 'more than'],
  ids: ['Номера', 'Ids'],
  noRows: ['Строк нет: выберите другой период.', 'No rows: choose another period.'],
  chart: ['График', 'Chart'],
  noChart: ['Без графика', 'No chart'],
  download: ['Скачать', 'Download'],
  allRows: ['Все строки', 'All rows'],
  shownRows: ['Строки на экране', 'Rows of the screen'],
  downloading: ['Готовим файл…', 'Preparing the file…'],
  copyAs: ['Скопировать как…', 'Copy as…'],
  close: ['Закрыть', 'Close'],
  tool: ['Программа', 'Tool'],
  copy: ['Скопировать', 'Copy'],
  copied: ['Скопировано', 'Copied'],
  selected: ['Текст выделен: нажмите Ctrl+C', 'The text is selected: press Ctrl+C'],
  keySeparately: [
    'Ключа в тексте нет: он берётся из переменной SVODKA_KEY или из настроек программы.',
    'The key is not in the text: it is in the variable SVODKA_KEY or in the settings of the tool.',
  ],
  dataAsOf: ['Данные на', 'Data as of'],
  stale: ['устарели: свежие пока недоступны', 'stale: newer data are not available now'],
  refresh: ['Обновить', 'Refresh'],
  retry: ['Повторить', 'Retry'],
  retryIn: ['Повторим через', 'Retrying in'],
  seconds: ['с', 's'],
  requestId: ['Номер запроса', 'Request id'],
  back: ['Все отчёты', 'All reports'],
  column: ['Столбец', 'Column'],
  columnKey: ['Ключ', 'Key'],
  columnType: ['Тип', 'Type'],
  columnUnit: ['Единица', 'Unit'],
  aboutReport: ['О столбцах', 'About the columns'],
  rowKey: ['Ключ строки', 'Key of a row'],
  maxRows: ['Не больше строк', 'Maximum of rows'],
  formats: ['Форматы', 'Formats'],
  beneath: [
    'К пути отчёта можно добавить формат (.json, .ndjson, .csv, .xlsx, .parquet) и /schema — описание столбцов.',
    'The path of a report may be followed by a format (.json, .ndjson, .csv, .xlsx, .parquet) or by /schema for its columns.',
  ],
  sort: ['Сортировать', 'Sort'],
  ago: {
    now: ['только что', 'just now'],
    minutes: ['мин назад', 'min ago'],
    hours: ['ч назад', 'h ago'],
    days: ['дн. назад', 'd ago'],
  },
  groups: {
    finance: ['Деньги', 'Money'],
    deals: ['Продажи', 'Sales'],
    warehouse: ['Склад', 'Warehouse'],
    tasks: ['Задачи', 'Tasks'],
    requests: ['Обращения', 'Requests'],
  },
  /** What to do, by code of an error, unless the API says it. */
  help: {
    api_key_invalid: [
      'Проверьте, что ключ скопирован целиком. Если его отозвали, создайте новый в личном кабинете.',
      'Check that the whole key was copied. If it was revoked, create another in your web account.',
    ],
    module_locked: ['Или войдите с ключом другой организации.', 'Or log in with another key.'],
    report_not_found: ['Найдите его в списке отчётов.', 'Find it in the list of reports.'],
    bad_range: ['Проверьте даты: начало не позже конца.', 'Check the order of the dates.'],
    rate_limited: REPEATED,
    overloaded: REPEATED,
    replica_unavailable: REPEATED,
    access_unavailable: REPEATED,
    internal_error: ['Сообщите номер запроса поддержке.', 'Tell the support the request id.'],
    offline: [
      'Проверьте соединение с сетью: как только оно появится, запрос повторится сам.',
      'Check your network connection: the request is repeated as soon as there is one.',
    ],
  },
  /** What paths of the API are for. */
  paths: {
    '/ping': ['Проверка ключа', 'Checks the key'],
    '/openapi.json': [
      'Описание API: пути, параметры, ошибки',
      'The API: paths, parameters, errors',
    ],
    '/reports': ['Список отчётов', 'The reports'],
    '/metrics/schema': ['Единицы показателей', 'Units of the metrics'],
    '/metrics?codes&from&to': ['Показатели за период', 'Figures of the business for a period'],
  },
  offline: ['Сервер не отвечает', 'The server does not respond'],
  shownStale: ['Ниже — то, что было загружено раньше.', 'Below is what was loaded before.'],
} as const

type Pair = readonly [ru: string, en: string]
type Tree = { readonly [key: string]: Pair | Tree }
type OneLanguage<T> = {
  readonly [Key in keyof T]: T[Key] extends Pair ? string : OneLanguage<T[Key]> & ByCode
}
/** Codes of the API may be unknown. */
type ByCode = Readonly<Record<string, string | undefined>>

function choose(words: Tree, at: 0 | 1): object {
  const chosen = Object.entries(words).map(([key, value]) => {
    return [key, Array.isArray(value) ? (value as Pair)[at] : choose(value as Tree, at)]
  })
  return Object.fromEntries(chosen) as object
}

export const isEnglish = document.documentElement.lang === 'en'
export const TEXTS = choose(WORDS, isEnglish ? 1 : 0) as OneLanguage<typeof WORDS>

/** Which date the period applies to. */
export function basisText(basis: { readonly code: string; readonly title: string }): string {
  if (!isEnglish) return basis.title
  return basis.code === 'state' ? 'state at the end' : `by ${basis.code} date`
}

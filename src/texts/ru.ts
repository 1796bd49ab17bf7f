/** What customers read, in Russian. */
export const RU = {
  queued:
    'Отчёты вашей организации уже ждут очереди. Повторите запрос позже и отправляйте меньше запросов одновременно.',
  overloaded: 'Сервис перегружен запросами. Повторите запрос позже.',
  timedOut: 'Отчёт не построился за отведённое ему время. Попробуйте период короче.',
  timedOutInMinutes: 'Отчёт не построился за пять минут. Возьмите период короче.',
  noSpaceToExecute: 'Для этого отчёта за такой период не хватает места. Возьмите период короче.',
  dataChanged: 'Пока отчёт читался, его данные изменились. Повторите запрос.',
  noDatabase: 'База данных отчётов сейчас недоступна. Повторите запрос позже.',
  noRoom:
    'Для ответа сейчас нет места: другие большие ответы ещё не прочитаны. Дочитайте начатые и повторите запрос.',
  noDisk:
    'Большой ответ сейчас негде сохранить: на сервере отказал диск или кончилось место. Повторите запрос позже или возьмите период короче.',
  tooManyBytes: 'Ответ слишком велик. Возьмите период короче.',
  tooManyRows: (max: number) => `В ответе больше ${max} строк. Возьмите период короче.`,
  tooManyRowsForExcel: (max: number) =>
    `В ответе больше ${max} строк, столько Excel не откроет. Возьмите период короче или другой формат: .csv без preset, .ndjson, .parquet.`,
  sheetTooLarge: 'Лист Excel вышел бы больше 4 ГБ. Возьмите период короче или отчёт в CSV.',
  cellTooLong: (title: string, length: number, max: number) =>
    `В столбце «${title}» есть значение длиной ${length} знаков, а ячейка Excel вмещает не больше ${max}. Возьмите отчёт в CSV или JSON.`,
  notForParquet: (row: number, column: string, value: string, digits: number) =>
    `Строка ${row}, столбец ${column}: ${value} не помещается в Parquet, в нём целые числа до 64 бит и числа до ${digits} цифр до запятой. Возьмите JSON или CSV.`,
  reportNotComparable: (code: string, maxRows: number) =>
    `Отчёт ${code} нельзя сравнить. Сравниваются отчёты не больше чем на ${maxRows} строк, с ключом и показателями, которые не зависят от сегодняшнего дня: в их схеме список compare не пуст.`,
  metricsNotComparable: (codes: string) =>
    `Показатели ${codes} нельзя сравнить: они зависят от сегодняшнего дня. Перечислите другие в codes.`,
  noSuchReport: (name: string, list: string, formats: string) =>
    `Отчёта с кодом «${name}» нет. Список отчётов: ${list}. К коду можно добавить формат: ${formats}.`,
  noSuchMetrics: (list: string, moreCount: number) =>
    `Неизвестные показатели: ${list}${moreCount > 0 ? ` и ещё ${moreCount}` : ''}. Без параметра codes приходят все.`,
  tooManyCodes: (max: number) =>
    `В codes больше ${max} показателей. Без параметра codes приходят все.`,
  notOfMetrics: (name: string, list: string) =>
    `Параметра ${name} нет у показателей: ${list}. Перечислите в codes те, у которых он есть.`,
  tooManyChoices: (max: number) =>
    `У параметра больше ${max} значений, список не строится. Передайте значение без него.`,
  valuesFail: (names: string) =>
    `С этими значениями отчёт не вычисляется: ${names}. Без них он строится. Передайте другие.`,
  noSuchPath: (prefix: string) =>
    `Такого адреса нет. Есть ${prefix}/ping, /reports, /reports/:code, /reports/:code/schema, /reports/:code/parameters, /metrics, /metrics/schema и /openapi.json; регистр и завершающая косая черта важны.`,
  tooManyParameters: (max: number) => `В запросе больше ${max} параметров.`,
  wrongChoice: (name: string, found: string, expected: string) =>
    `Параметр ${name} ${found ? `равен «${found}»` : 'пуст'}, а ожидалось одно из: ${expected}.`,
  repeatedParameter: (name: string) =>
    `Параметр ${name} указан больше одного раза, а ожидался один раз.`,
  unknownParameter: (name: string, known: string, isPaging: boolean) =>
    `Параметра ${name} нет; здесь ${known ? `есть ${known}` : 'их нет'}.${isPaging ? ' Все строки приходят сразу, без страниц.' : ''}`,
  lateRequest: 'Запрос не пришёл целиком за отведённое время.',
  pageTitle: 'Отчёты',
  needsJavaScript: 'Для этой страницы нужен JavaScript.',
}

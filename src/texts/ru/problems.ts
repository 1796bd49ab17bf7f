/** Problems in Russian: titles by code, and details. `{tier}` and `{keys}` are the product's own words. */
export const RU_PROBLEMS = {
  titles: {
    api_key_required: 'Нужен ключ API',
    api_key_invalid: 'Ключ API не действует',
    module_locked: 'Доступ открыт с тарифа «{tier}»',
    not_found: 'Такого адреса нет',
    report_not_found: 'Такого отчёта нет',
    metric_not_found: 'Такого показателя нет',
    report_not_allowed: 'Ключу это недоступно',
    method_not_allowed: 'Метод не поддерживается',
    bad_range: 'Период задан неверно',
    bad_format: 'Такого формата нет',
    result_too_large: 'Ответ слишком велик',
    bad_request: 'Запрос составлен неверно',
    request_timeout: 'Запрос не пришёл вовремя',
    range_not_satisfiable: 'В ответе нет таких байтов',
    precondition_failed: 'Ответ изменился',
    precondition_required: 'Нужен If-Match',
    rate_limited: 'Слишком много запросов',
    headers_too_large: 'Заголовки слишком велики',
    internal_error: 'Внутренняя ошибка',
    access_unavailable: 'Ключ сейчас нельзя проверить',
    overloaded: 'Сервис перегружен',
    replica_unavailable: 'Данные сейчас недоступны',
    report_timeout: 'Отчёт не успел построиться',
  },
  /** Of a product without words of its own. */
  phrases: { tier: 'Бизнес', belowTier: 'ниже «Бизнеса»', atKeys: 'в личном кабинете' },
  ownPhrases: { belowTier: 'ниже тарифа «{tier}»', atKeys: 'в разделе «{keys}»' },
  internalError: 'Ошибка на нашей стороне. Сообщите нам requestId из этого ответа.',
  keyRequired:
    'Передайте ключ в заголовке Authorization: Bearer <ключ> или X-Api-Key: <ключ>. Ключ в адресе не принимается.',
  keyInvalid: 'Ключ неизвестен или отозван. Создайте новый {atKeys}.',
  moduleLocked: 'Тариф организации {belowTier}. Чтобы пользоваться API, смените тариф.',
  keyDatabaseSilent: 'База ключей сейчас не отвечает. Повторите запрос позже.',
  wrongAccessRow:
    'Запись вашей организации содержит ошибку на нашей стороне. Повторите запрос позже.',
  tooManyKeys: 'Слишком много ключей ожидает проверки. Повторите запрос позже.',
  tooManyRequests: (max: number) =>
    `Одновременно обрабатывается не более ${max} запросов организации. Дождитесь ответов и повторите запрос.`,
  stillLoading:
    'Ответ ещё строится. Повторите запрос: он получит этот ответ, как только тот будет готов.',
  headersTooLarge: (maxBytes: number, maxHeaders: number) =>
    `Адрес и заголовки запроса вместе больше ${maxBytes} байт, или заголовков больше ${maxHeaders}.`,
  notHttp: 'Запрос не соответствует HTTP/1.1, или его адрес не является ни путём, ни URL http.',
  methodNotAllowed: (method: string) =>
    `Метод ${method} не поддерживается: данные можно только читать, методами GET и HEAD.`,
  otherVersion:
    'В If-Match другая версия ответа, чем нынешняя, или слабый тег. Загрузите его заново, без Range и If-Match.',
  versionRequired:
    'Продолжение загрузки не называет версию ответа. Пришлите в If-Match тот ETag, который был у первой части, или загрузите ответ заново, без Range.',
  noSuchBytes: (length: number, range: string) =>
    `В ответе ${length} байт, а в Range запрошено: ${range}. Возьмите ответ целиком.`,
  fromAfterTo: (from: string, to: string, isFromGiven: boolean, isToGiven: boolean) =>
    `from${isFromGiven ? '' : ' по умолчанию'} (${from}) позже, чем to${isToGiven ? '' : ' по умолчанию'} (${to}), а ожидалось from не позже to.`,
  wrongDate: (name: string, found: string) =>
    `Параметр ${name} ${found ? `равен «${found}»` : 'пуст'}, а ожидалась дата вида 2026-01-31 или 2026-01-31T00:00:00Z.`,
  dateOutOfRange: (name: string, found: string) =>
    `Параметр ${name} равен ${found}, это вне 1900–2999 годов, а ожидалась дата вида 2026-01-31 или 2026-01-31T00:00:00Z.`,
  wrongValue: (name: string, title: string, found: string | undefined, expected: string) =>
    `Параметр ${name} («${title}») ${found ? `равен «${found}»` : found === '' ? 'пуст' : 'не задан'}, а ожидалось: ${expected}.`,
  aText: (max: number) => `текст от 1 до ${max} символов без управляющих`,
  aWholeNumber: 'целое число',
  anAmount: 'сумма целым числом наименьших единиц валюты',
  aNumber: (maxDigits: number) => `десятичное число не длиннее ${maxDigits} цифр, с точкой`,
  aDate: 'дата вида 2026-01-31',
  aBoolean: 'true или false',
  aUuid: 'UUID вида 5d0a0000-0000-4000-8000-000000000001',
  fixedForKey: (value: string) => `${value}, как задано для ключа`,
  atLeast: (minimum: string) => `не меньше ${minimum}`,
  atMost: (maximum: string) => `не больше ${maximum}`,
  oneOf: (list: string) => `одно из: ${list}`,
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
  notAllowed: (codes: string, prefix: string) =>
    `Этому ключу недоступно: ${codes}. Всё доступное перечисляют ${prefix}/reports и ${prefix}/metrics/schema; для остального нужен другой ключ.`,
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
}

// __TITLE__: ⟦a period on a sheet of Google Sheets; money is in whole units of its currency, percents are fractions.⟧
// ⟦Sheet → Extensions → Apps Script: paste the text. Key: Project settings → Script properties → SVODKA_KEY.⟧
// ⟦Run: the menu Svodka of the sheet; each night by a trigger of refreshAll.⟧
const BASE = '__URL__'
const CODES = '__CODES__'
// ⟦Left out, as they need values of parameters:⟧ __LEFT__
const VALUES = '__VALUES__' // ⟦of the report's parameters⟧
const FROM = '__FROM__'
const DIGITS = __DIGITS__ // ⟦decimals of the currency⟧
const OTHERS = '__OTHERS__' // ⟦decimals of other currencies; the rest has two⟧
const TO = '__TO__' // ⟦empty: until the end of the current year⟧

function onOpen() {
  SpreadsheetApp.getUi().createMenu('⟦Svodka⟧').addItem('⟦Refresh⟧', 'refreshAll').addToUi()
}

function refreshAll() {
  CODES.forEach(refresh)
}

function refresh(code) {
  const report = get('/reports/' + code + '.json?from=' + FROM + (TO && '&to=' + TO) + VALUES)
  const titles = report.columns.map(column => "'" + column.title)
  const records = [...report.rows, report.totals]
  const rows = records.map(row =>
    report.columns.map(column => valueOf(row[column.key], column.type, digitsOf(column, row))),
  )
  const book = SpreadsheetApp.getActive()
  const name = code + '__SUFFIX__'
  const sheet = book.getSheetByName(name) ?? book.insertSheet(name)
  sheet.clear()
  const range = sheet.getRange(1, 1, rows.length + 1, titles.length)
  const formats = records.map(row =>
    report.columns.map(column => {
      const digits = digitsOf(column, row)
      const money = '#,##0' + (digits ? '.' + '0'.repeat(digits) : '')
      return { money, percent: '0.0%', date: '⟦yyyy-mm-dd⟧' }[column.type] ?? 'General'
    }),
  )
  range.setNumberFormats([titles.map(() => '@'), ...formats])
  range.setValues([titles, ...rows])
  sheet.setFrozenRows(1)
}

function digitsOf({ currency, digits = DIGITS }, row) {
  const code = row[currency?.column]
  return code ? Number(OTHERS.split(code + ' = ')[1]?.[0] ?? 2) : digits
}

function valueOf(value, type, digits) {
  if (value === null) return ''
  if (type === 'percent') return value / 100
  if (type === 'money') return value / 10 ** digits
  if (type === 'date') return new Date(value + 'T00:00:00')
  // ⟦an apostrophe: a text, neither a formula nor a number⟧
  return typeof value === 'string' ? "'" + value : value
}

function get(path) {
  const key = PropertiesService.getScriptProperties().getProperty('SVODKA_KEY')
  const options = {
    headers: { 'X-Api-Key': key, 'Accept-Language': '__LANGUAGE__' },
    muteHttpExceptions: true,
  }
  for (let attempt = 1; ; attempt += 1) {
    const response = UrlFetchApp.fetch(BASE + path, options)
    const status = response.getResponseCode()
    const text = response.getContentText('UTF-8')
    if (status === 200) return JSON.parse(text)
    const headers = response.getHeaders()
    const wait = Number(headers['Retry-After'] ?? headers['retry-after'])
    if (!(wait > 0) || attempt === 4) throw new Error(status + ' ' + reasonOf(text))
    Utilities.sleep(wait * 1000) // ⟦the whole run takes at most 6 minutes⟧
  }
}

function reasonOf(text) {
  try {
    const { code, detail, requestId } = JSON.parse(text)
    return code + ': ' + detail + ' ⟦(request⟧ ' + requestId + ')'
  } catch (error) {
    return text
  }
}

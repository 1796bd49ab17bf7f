/** Power Query M for Excel and Power BI: a period as a typed table in roubles. */
import type { KitSource } from './kit-source.ts'
import { codeOf, nameReports, quoteM } from './quote.ts'

export function powerquery(source: KitSource): string {
  const call = [codeOf(source) ?? '', source.from, source.to ?? ''].map(quoteM).join(', ')
  return String.raw`
// ${nameReports(source)}: период таблицей с типами; деньги — в рублях, проценты — долями.
// Excel: Данные → Получить данные → Пустой запрос → Расширенный редактор. Power BI: Преобразовать данные → то же.
// При запросе доступа выберите «Базовый» и введите ключ API как пароль (имя пустое): он хранится в учётных данных.
let
  Base = ${quoteM(source.baseUrl)},
  Get = (code as text, from as text, to as text) =>
    let
      Query = if to = "" then [from = from] else [from = from, to = to],
      // 429 и 503 Power Query повторяет сам и ждёт Retry-After; остальное показывает эта функция
      Response = Web.Contents(Base, [RelativePath = "reports/" & code & ".json", Query = Query, Headers = [#"Accept-Language" = "ru"],
        Timeout = #duration(0, 0, 2, 0), ManualStatusHandling = {400, 402, 404, 500, 504}]),
      Body = Json.Document(Response, TextEncoding.Utf8),
      Checked = if Value.Metadata(Response)[Response.Status] = 200 then Body
        else error Error.Record(Body[code], Body[detail], "Запрос " & Body[requestId])
    in
      Checked,
  Types = [text = type nullable text, month = type nullable text, date = type nullable date, datetime = type nullable datetimezone,
    integer = Int64.Type, number = type nullable number, percent = Percentage.Type, money = Currency.Type],
  Convert = (kind as text) => if kind = "money" or kind = "percent" then each if _ = null then null else _ / 100
    else if kind = "date" then each if _ = null then null else Date.FromText(_, [Format = "yyyy-MM-dd", Culture = "en-US"])
    else if kind = "datetime" then each if _ = null then null else DateTimeZone.FromText(_, [Culture = "en-US"])
    else each _,
  Report = (code as text, from as text, to as text) as table =>
    let
      Body = Get(code, from, to),
      Columns = Body[columns],
      Rows = Table.FromRecords(Body[rows], List.Transform(Columns, each [key])),
      Typed = Table.TransformColumns(Rows, List.Transform(Columns, each {[key], Convert([type]), Record.Field(Types, [type])})),
      Titled = Table.RenameColumns(Typed, List.Transform(Columns, each {[key], [title]}))
    in
      Titled
in
  Report(${call})`
}

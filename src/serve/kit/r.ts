/** R: changed months into SQLite, whose JSON functions keep 64-bit integers exact. */
import type { KitSource } from './kit-source.ts'
import { codeOf, nameReports, quoteJson } from './quote.ts'

export function r(source: KitSource): string {
  const code = codeOf(source)
  return String.raw`
# ${nameReports(source)}: изменившиеся месяцы в таблицы SQLite; деньги — целые копейки.
# Пакеты: install.packages(c("curl", "jsonlite", "DBI", "RSQLite")). Прерванную загрузку продолжит повторный запуск.
# Запуск: export SVODKA_KEY=...; Rscript svodka_load.R [КОД ...]
suppressPackageStartupMessages({ library(curl); library(jsonlite); library(DBI) })

base <- ${quoteJson(source.baseUrl)}
first <- ${quoteJson(source.from)}
last <- ${source.to === undefined ? 'NULL # до конца текущего года' : quoteJson(source.to)}
codes <- commandArgs(trailingOnly = TRUE)
${code === undefined ? 'if (length(codes) == 0) codes <- NULL # все отчёты' : `if (length(codes) == 0) codes <- ${quoteJson(code)}`}
types <- c(date = "date", datetime = "timestamp", integer = "integer", money = "integer",
           number = "numeric", percent = "numeric") # остальные — text

end_of_second <- function(date) format(parse_date(date), "%Y-%m-%dT%H:%M:%S.999Z", tz = "UTC")

# Текст ответа и момент, позже которого его данных нет; при 429 и 503 ждёт столько, сколько просит Retry-After.
get <- function(path, query = list(), not_older_than = NULL) {
  query <- Filter(Negate(is.null), query)
  pairs <- paste0(names(query), "=", curl_escape(unlist(query)), collapse = "&")
  url <- paste0(base, path, if (length(query) > 0) paste0("?", pairs))
  for (attempt in 1:10) {
    handle <- new_handle()
    handle_setheaders(handle, "X-Api-Key" = Sys.getenv("SVODKA_KEY"), "Accept-Language" = "ru")
    if (!is.null(not_older_than)) handle_setheaders(handle, "X-Api-Key" = Sys.getenv("SVODKA_KEY"),
      "Accept-Language" = "ru", "Min-Data-As-Of" = not_older_than)
    response <- tryCatch(curl_fetch_memory(url, handle), error = identity)
    if (inherits(response, "error")) { # соединение оборвано или не открылось
      wait <- "5"; reason <- conditionMessage(response)
    } else {
      text <- rawToChar(response$content); Encoding(text) <- "UTF-8"
      headers <- parse_headers_list(response$headers)
      if (response$status_code == 200) return(list(text = text, seen = end_of_second(headers[["date"]])))
      wait <- headers[["retry-after"]]
      said <- tryCatch(fromJSON(text), error = function(e) list(detail = text))
      reason <- paste0(response$status_code, " ", said$code, ": ", said$detail, " (запрос ", said$requestId, ")")
    }
    if (is.null(wait) || attempt == 10) stop(reason, call. = FALSE)
    message(reason, ": повтор через ", wait, " с")
    Sys.sleep(as.numeric(wait))
  }
}

db <- dbConnect(RSQLite::SQLite(), Sys.getenv("SVODKA_DATABASE", "svodka.db"))
invisible(dbExecute(db, "create table if not exists svodka_loads (organization text, report text, month date,
  fingerprint text, shape text, primary key (organization, report, month))"))
quoted <- function(name) as.character(dbQuoteIdentifier(db, name))

# Строку определяют организация, месяц и key. Если схема изменилась, таблица создаётся заново.
create_table <- function(code, schema) dbWithTransaction(db, {
  if (!dbExistsTable(db, code)) dbExecute(db, "delete from svodka_loads where report = ?", list(code)) # таблицу удалили
  shapes <- dbGetQuery(db, "select shape from svodka_loads where report = ?", list(code))$shape
  if (any(shapes != schema$shape)) {
    dbExecute(db, "delete from svodka_loads where report = ?", list(code))
    dbExecute(db, paste("drop table", quoted(code)))
  }
  sql_types <- ifelse(schema$columns$type %in% names(types), types[schema$columns$type], "text")
  columns <- c("_organization text", "_month date", paste(quoted(schema$columns$key), sql_types))
  key <- quoted(c("_organization", "_month", schema$key))
  dbExecute(db, sprintf("create table if not exists %s (%s, primary key (%s))", quoted(code),
    paste(columns, collapse = ", "), paste(key, collapse = ", ")))
})

# Заменяет месяц целиком одной транзакцией и запоминает его отпечаток.
replace_month <- function(code, schema, month, seen) {
  body <- get(paste0("/reports/", code), list(from = month$from, to = month$to), seen)
  values <- paste(sprintf("json_extract(value, '$.%s')", schema$columns$key), collapse = ", ")
  dbWithTransaction(db, {
    dbExecute(db, sprintf("delete from %s where _organization = ? and _month = ?", quoted(code)), list(organization, month$from))
    dbExecute(db, sprintf("insert into %s select ?, ?, %s from json_each(?, '$.rows')", quoted(code), values),
      list(organization, month$from, body$text))
    fingerprint <- if (is.null(month$fingerprint)) NA_character_ else month$fingerprint
    dbExecute(db, "insert or replace into svodka_loads values (?, ?, ?, ?, ?)",
      list(organization, code, month$from, fingerprint, schema$shape))
  })
  message(code, " ", substr(month$from, 1, 7), ": загружен")
  body$seen
}

organization <- fromJSON(get("/ping")$text)$organizationId
if (is.null(codes)) codes <- fromJSON(get("/reports")$text)$reports$code
schemas <- lapply(setNames(codes, codes), function(code) fromJSON(get(paste0("/reports/", code, "/schema"))$text))
for (code in codes) create_table(code, schemas[[code]])

# Загружает изменившиеся месяцы, пока два списка не совпадут: тогда таблицы — как на один момент.
newest <- NULL
for (attempt in 1:10) {
  changed <- list()
  for (code in codes) {
    body <- get(paste0("/reports/", code, "/periods"), list(from = first, to = last), newest)
    listed <- fromJSON(body$text, simplifyVector = FALSE)$periods
    loads <- dbGetQuery(db, "select month, fingerprint from svodka_loads where organization = ? and report = ?",
      list(organization, code))
    for (month in listed) {
      loaded <- loads$fingerprint[loads$month == month$from]
      # Отпечатка нет, если строки зависят от текущего времени: такой месяц загружается каждый раз.
      is_changed <- if (is.null(month$fingerprint)) attempt == 1 else !identical(loaded, month$fingerprint)
      if (is_changed) changed <- c(changed, list(list(code = code, month = month)))
    }
  }
  if (length(changed) == 0) break
  # месяцы не старше списка, а следующий список не старше месяцев
  for (each in changed) newest <- replace_month(each$code, schemas[[each$code]], each$month, body$seen)
}
if (length(changed) > 0) message("Данные меняются быстрее, чем загружаются: остальное возьмёт следующий запуск")
# Дальше: dbGetQuery(db, 'select * from "${code ?? 'operations'}"')`
}

# __TITLE__: ⟦changed months into tables of SQLite; money is integers of the smallest unit of its currency.⟧
# ⟦Packages:⟧ install.packages(c("curl", "jsonlite", "DBI", "RSQLite")). ⟦Another run continues an interrupted load.⟧
# ⟦Run: export SVODKA_KEY=...; Rscript svodka_load.R [CODE ...]⟧
suppressPackageStartupMessages({ library(curl); library(jsonlite); library(DBI) })

base <- "__URL__"
code <- "__CODE__" # ⟦empty: all reports⟧
values <- "__VALUES__"; suffix <- "__SUFFIX__" # ⟦of the report's parameters, and in names that are made⟧
from <- "__FROM__"
to <- "__TO__" # ⟦empty: until the end of the current year⟧
key <- Sys.getenv("SVODKA_KEY")
if (key == "") stop("⟦an API key is required:⟧ export SVODKA_KEY=...", call. = FALSE)
types <- c(date = "date", datetime = "timestamp", integer = "integer", money = "integer",
           number = "numeric", percent = "numeric") # ⟦others are text⟧

# ⟦Body and ETag of the response; no body if it is unchanged (304). At 429 and 503 waits as long as Retry-After says.⟧
get <- function(path, etag = NA) {
  sent <- list("X-Api-Key" = key, "Accept-Language" = "__LANGUAGE__")
  if (!is.na(etag)) sent[["If-None-Match"]] <- etag
  for (attempt in 1:10) {
    handle <- handle_setheaders(new_handle(), .list = sent)
    response <- tryCatch(curl_fetch_memory(paste0(base, path), handle), error = identity)
    if (inherits(response, "error")) { # ⟦the connection broke or did not open⟧
      wait <- "5"; reason <- conditionMessage(response)
    } else {
      if (response$status_code == 304) return(NULL)
      text <- rawToChar(response$content); Encoding(text) <- "UTF-8"
      headers <- parse_headers_list(response$headers)
      if (response$status_code == 200) return(list(text = text, etag = c(headers[["etag"]], NA_character_)[1]))
      wait <- headers[["retry-after"]]
      said <- tryCatch(fromJSON(text), error = function(e) list(detail = text))
      reason <- paste0(response$status_code, " ", said$code, ": ", said$detail, " ⟦(request⟧ ", said$requestId, ")")
    }
    if (is.null(wait) || attempt == 10) stop(reason, call. = FALSE)
    message(reason, "⟦: retrying in⟧ ", wait, " ⟦s⟧")
    Sys.sleep(as.numeric(wait))
  }
}

db <- dbConnect(RSQLite::SQLite(), Sys.getenv("SVODKA_DATABASE", "svodka.db"))
invisible(dbExecute(db, "create table if not exists svodka_loads (organization text, report text, month date,
  etag text, shape text, primary key (organization, report, month))"))
quoted <- function(name) as.character(dbQuoteIdentifier(db, name))

# ⟦A row has the key of organization, month and key. If the schema has changed, the table is created again.⟧
create_table <- function(code, schema) dbWithTransaction(db, {
  if (!dbExistsTable(db, code)) dbExecute(db, "delete from svodka_loads where report = ?", list(code)) # ⟦the table was dropped⟧
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

# ⟦If the month has changed, replaces it as a whole in one transaction and stores its ETag.⟧
replace_month <- function(code, schema, first, last, etag) {
  body <- get(sprintf("/reports/%s.ndjson?from=%s&to=%s%s", code, first, last, values), etag)
  if (is.null(body)) return()
  rows <- paste0("[", gsub("\n", ",", sub("\n$", "", body$text), fixed = TRUE), "]")
  table <- paste0(code, suffix)
  fields <- paste(sprintf("json_extract(value, '$.%s')", schema$columns$key), collapse = ", ")
  dbWithTransaction(db, {
    dbExecute(db, sprintf("delete from %s where _organization = ? and _month = ?", quoted(table)), list(organization, first))
    dbExecute(db, sprintf("insert into %s select ?, ?, %s from json_each(?)", quoted(table), fields),
      list(organization, first, rows))
    dbExecute(db, "insert or replace into svodka_loads values (?, ?, ?, ?, ?)",
      list(organization, table, first, body$etag, schema$shape))
  })
  message(table, " ", substr(first, 1, 7), "⟦: loaded⟧")
}

organization <- fromJSON(get("/ping")$text)$organizationId
codes <- commandArgs(trailingOnly = TRUE)
if (length(codes) == 0 && code != "") codes <- code
isListed <- length(codes) == 0
if (isListed) codes <- fromJSON(get("/reports")$text)$reports$code
end <- as.Date(if (to != "") to else format(Sys.Date(), "%Y-12-31"))
months <- seq(as.Date(sub("..$", "01", from)), end, by = "month")
last_days <- pmin(end, seq(months[1], by = "month", length.out = length(months) + 1)[-1] - 1)
for (code in codes) {
  schema <- fromJSON(get(paste0("/reports/", code, "/schema"))$text)
  required <- schema$parameters$name[schema$parameters$required]
  if (isListed && length(required) > 0) {
    message(code, ": ⟦left out, as it needs a value of⟧ ", toString(required))
    next
  }
  schema$shape <- paste0(schema$shape, values)
  create_table(paste0(code, suffix), schema)
  loads <- dbGetQuery(db, "select month, etag from svodka_loads where organization = ? and report = ?", list(organization, paste0(code, suffix)))
  for (at in seq_along(months)) {
    first <- format(months[at])
    replace_month(code, schema, first, format(last_days[at]), loads$etag[match(first, loads$month)])
  }
}
# ⟦Then: dbGetQuery⟧(db, 'select * from "__TABLE__"')

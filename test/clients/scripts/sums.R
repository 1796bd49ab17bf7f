# Reads one report as JSON and NDJSON with jsonlite, and prints statistics as JSON.
suppressPackageStartupMessages(library(jsonlite))

arguments <- commandArgs(trailingOnly = TRUE)
reports <- arguments[1]
period <- arguments[2]
headers <- c("X-Api-Key" = arguments[3])

connection <- function(path) url(paste0(reports, path, "?", period), headers = headers)

statistics <- function(table) {
  list(
    rows = nrow(table),
    columns = names(table),
    paid = sprintf("%.0f", sum(table$paid, na.rm = TRUE)),
    nulls = sum(is.na(table$paid)),
    weight = round(sum(table$weight, na.rm = TRUE), 3),
    last_day = format(max(as.Date(table$day))),
    notes = table$note
  )
}

report <- fromJSON(connection("/ledger"), bigint_as_char = TRUE)
lines <- stream_in(connection("/ledger.ndjson"), verbose = FALSE)
# R has no integers beyond 2^53; bigint_as_char reads them as texts.
most_units <- max(report$rows$units)
both <- list(json = statistics(report$rows), ndjson = statistics(lines), most_units = most_units)
cat(toJSON(both, auto_unbox = TRUE, na = "null", digits = NA))

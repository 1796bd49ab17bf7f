# Reads one report as JSON and as NDJSON with jsonlite, and prints what it found as JSON.
suppressPackageStartupMessages(library(jsonlite))

arguments <- commandArgs(trailingOnly = TRUE)
reports <- arguments[1]
period <- arguments[2]
headers <- c("X-Api-Key" = arguments[3])

asked <- function(path) url(paste0(reports, path, "?", period), headers = headers)

found <- function(table) {
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

answer <- fromJSON(asked("/ledger"), bigint_as_char = TRUE)
lines <- stream_in(asked("/ledger.ndjson"), verbose = FALSE)
# R has no whole numbers beyond 2^53: they are texts, where jsonlite is asked for that.
most_units <- max(answer$rows$units)
both <- list(json = found(answer$rows), ndjson = found(lines), most_units = most_units)
cat(toJSON(both, auto_unbox = TRUE, na = "null", digits = NA))

# __TITLE__: ⟦the table of the screen, without its totals; money is in whole units of its currency.⟧
# __SHOWN__. ⟦Run⟧: Sys.setenv(SVODKA_KEY = "..."); source("svodka.R")
fetch <- function(address) url(address, headers = c("X-Api-Key" = Sys.getenv("SVODKA_KEY")), method = "libcurl", encoding = "UTF-8")
table <- read.csv(fetch("__QUERIED__"), colClasses = c(__CLASSES__), na.strings = "", check.names = FALSE)
money <- c(__MONEYS__); table[money] <- table[money] / 10^as.numeric(sub('.*"digits":([0-9]+).*', "\\1", readLines(fetch(paste0("__URL__", "/ping")), warn = FALSE)))
digits <- function(codes) { found <- c(__OTHERS__)[codes]; ifelse(is.na(found), 2 * !is.na(codes), found) }
owns <- c(__OWNS__); for (column in names(owns)) table[[column]] <- table[[column]] / 10^digits(table[[owns[column]]])
table <- table[order(table[["__SORTED__"]], decreasing = __DECREASING__), ]

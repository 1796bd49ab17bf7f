# __TITLE__: ⟦the table of the screen, without its totals; money is in __CURRENCY__.⟧
# __SHOWN__. ⟦Run⟧: Sys.setenv(SVODKA_KEY = "..."); source("svodka.R")
connection <- url("__QUERIED__", headers = c("X-Api-Key" = Sys.getenv("SVODKA_KEY")), method = "libcurl", encoding = "UTF-8")
table <- read.csv(connection, colClasses = c(__CLASSES__), na.strings = "", check.names = FALSE)
money <- c(__MONEYS__); table[money] <- table[money] / __UNIT__
table <- table[order(table[["__SORTED__"]], decreasing = __DECREASING__), ]

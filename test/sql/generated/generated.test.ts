// Organizations chosen among the first 240 seeds: whatever small change of a definition any of these notices, at least
// one of these does, and most of them four.
import { describeCatalogue } from './describe-catalogue.ts'

const SEEDS = [
  6, 7, 9, 11, 12, 13, 15, 16, 17, 18, 20, 21, 22, 25, 29, 30, 31, 34, 38, 40, 41, 42, 43, 45, 51,
  53, 55, 57, 59, 61, 69, 72, 73, 76, 78, 89, 91, 93, 94, 95, 96, 97, 98, 99, 100, 101, 110, 113,
  115, 117, 121, 122, 124, 125, 126, 127, 128, 129, 133, 134, 135, 140, 141, 144, 150, 151, 160,
  161, 164, 165, 171, 184, 186, 188, 189, 193, 194, 196, 201, 203, 208, 210, 211, 218, 220, 224,
  226, 232, 233, 234, 235, 240,
]

await describeCatalogue(SEEDS)

// Organizations selected from the first 240 seeds by 1,387 random mutations of definitions (2026-11-22): the 240 detect
// 1,336 mutations, and the seeds below detect each of these, most with three seeds.
import { describeCatalogue } from './describe-catalogue.ts'

const SEEDS = [
  2, 6, 7, 9, 11, 13, 15, 16, 17, 20, 21, 22, 25, 29, 30, 31, 38, 40, 41, 42, 43, 45, 51, 53, 57,
  59, 61, 68, 69, 73, 78, 89, 91, 93, 95, 97, 98, 99, 100, 102, 113, 115, 117, 120, 122, 125, 126,
  129, 134, 144, 150, 151, 155, 160, 161, 165, 171, 186, 188, 189, 193, 194, 200, 201, 203, 208,
  210, 211, 219, 220, 224, 226, 232, 234, 235, 240,
]

await describeCatalogue(SEEDS)

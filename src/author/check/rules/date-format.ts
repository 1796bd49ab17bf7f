import { stringOf } from '../../sql/expressions.ts'
import { calls, onEach, type Rule } from './rule.ts'

const PROBLEMS: ReadonlyArray<readonly [shape: RegExp, problem: string]> = [
  [/^(?=.*MI)(?=.*(?:YY|DD))(?!.*(?:HH|SS))/s, 'MI is minutes, expected MM for the month'],
  [/^(?=.*HH(?!24))(?!.*[AP]\.?M)/s, 'HH counts to 12, expected HH24'],
  [
    /^(?=.*IY)(?=.*(?:MM|MON|(?<!D)DD(?!D)))(?!.*IW)/s,
    'IYYY is the year of the week, expected YYYY, or IW with it',
  ],
  [/^(?=.*IW)(?=.*(?<!I)YYYY)/s, 'YYYY is not the year of the week, expected IYYY'],
  [/TM(?:MON|DAY|DY)/, "TM depends on the server's lc_time, expected a number, or case"],
]

export const dateFormat: Rule = {
  sentence: 'A format of `to_char` prints something other than it seems to.',
  bad: ", to_char(sales.day, 'DD.MI.YYYY') as day",
  good: ", to_char(sales.day, 'DD.MM.YYYY') as day",
  find: onEach(calls('to_char'), ({ args: [, format] }) => {
    const literal = stringOf(format)
    // why: quoted parts of a format are printed as they are
    const pattern = literal?.replaceAll(/"[^"]*"/g, ' ').toUpperCase() ?? ''
    const problem = PROBLEMS.find(([shape]) => shape.test(pattern))?.[1]
    return problem && `'${literal}': ${problem}`
  }),
}

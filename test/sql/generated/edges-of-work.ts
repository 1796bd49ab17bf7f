/** Edges of deals, tasks and requests. */
import { addDays, microseconds } from '../oracles/calendar.ts'
import { byId, dayOf, groups, has, isWithin, lastDay, text } from './edges.ts'
import { LONGEST_INDEXED } from './deals.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

function isLost(stages: ReadonlyMap<string, Generated>, id: string): boolean {
  return stages.get(id)?.['kind'] === 'lost'
}

/** Visits that leave for a lost stage, by deal. */
function losses({ deal_stage_visits, deal_stages }: GeneratedTables): Generated[][] {
  const stages = byId(deal_stages)
  const leaving = deal_stage_visits.filter(visit => isLost(stages, text(visit, 'to_stage_id')))
  return [...groups(leaving, 'deal_id').values()]
}

function deals(name: string, is: (deal: Generated, tables: GeneratedTables) => boolean): Edge {
  return { name, occurs: tables => tables.deals.some(deal => is(deal, tables)) }
}

const reasons: readonly Edge[] = [
  ['null', null],
  ['empty', ''],
  ['blank', '  '],
  ['a tab', '\t'],
  ['«Не указана»', 'Не указана'],
  ['as long as an index holds', LONGEST_INDEXED],
  ['too long for an index', `${LONGEST_INDEXED}!`],
].map(([name, reason]) => ({
  name: `a lost deal whose reason is ${name}`,
  occurs: (tables, question) =>
    tables.deals.some(
      deal => isWithin(deal, 'lost_at', question) && deal['lost_reason'] === reason,
    ),
}))

const due: readonly Edge[] = [-1, 0].map(days => ({
  name: `an open task that was due ${-days} days before the last`,
  occurs: ({ tasks }, question) =>
    tasks.some(
      task =>
        !has(task, 'completed_at') &&
        !has(task, 'cancelled_at') &&
        task['due_on'] === addDays(lastDay(question), days),
    ),
}))

export const EDGES_OF_WORK: readonly Edge[] = [
  ...reasons,
  {
    name: 'a reason of several deals that left several stages',
    occurs: (tables, question) => {
      const stages = byId(tables.deal_stages)
      const stagesOf = (deal: Generated) =>
        tables.deal_stage_visits
          .filter(visit => visit['deal_id'] === deal['id'])
          .filter(visit => isLost(stages, text(visit, 'to_stage_id')))
          .map(visit => text(visit, 'stage_id'))
      const lost = tables.deals.filter(deal => isWithin(deal, 'lost_at', question))
      return [...groups(lost, 'lost_reason').values()].some(
        list => list.length > 1 && new Set(list.flatMap(stagesOf)).size > 1,
      )
    },
  },
  {
    name: 'several visits of a deal that leave for lost stages',
    occurs: tables => losses(tables).some(visits => visits.length > 1),
  },
  {
    name: 'several visits of a deal that leave for lost stages in the same instant',
    occurs: tables =>
      losses(tables).some(
        visits => new Set(visits.map(visit => visit['left_at'])).size < visits.length,
      ),
  },
  deals('an open deal without visits', ({ id, won_at, lost_at }, { deal_stage_visits }) => {
    const visited = deal_stage_visits.some(visit => visit['deal_id'] === id)
    return !visited && won_at === null && lost_at === null
  }),
  deals('a lost deal without visits', ({ id, lost_at }, { deal_stage_visits }) => {
    return lost_at !== null && !deal_stage_visits.some(visit => visit['deal_id'] === id)
  }),
  deals('a deal that ends in the instant of its creation', deal => {
    return deal['won_at'] === deal['created_at'] || deal['lost_at'] === deal['created_at']
  }),
  deals('a deal without amount', deal => deal['amount_kopecks'] === '0'),
  deals('a stage that is entered again', ({ id }, { deal_stage_visits }) => {
    const stages = deal_stage_visits
      .filter(visit => visit['deal_id'] === id)
      .map(visit => visit['stage_id'])
    return new Set(stages).size < stages.length
  }),
  {
    name: 'deals of the period that are all lost',
    occurs: (tables, question) =>
      tables.deals.some(deal => isWithin(deal, 'lost_at', question)) &&
      !tables.deals.some(deal => isWithin(deal, 'won_at', question)),
  },
  {
    name: 'deals of nobody and without source',
    occurs: tables =>
      tables.deals.some(deal => !has(deal, 'manager_id')) &&
      tables.deals.some(deal => !has(deal, 'source_id')),
  },
  {
    name: 'a task that was due on the day when it was done',
    occurs: ({ tasks }, question) =>
      tasks.some(
        task => has(task, 'due_on') && dayOf(task, 'completed_at', question) === task['due_on'],
      ),
  },
  ...due,
  {
    name: 'tasks of the period that end without a term',
    occurs: ({ tasks }, question) => {
      const done = tasks.filter(task => isWithin(task, 'completed_at', question))
      return done.length > 0 && done.every(task => !has(task, 'due_on'))
    },
  },
  {
    name: 'a request that is answered in the last promised instant',
    occurs: ({ requests }) =>
      requests.some(
        request =>
          has(request, 'promised_at') && request['first_answer_at'] === request['promised_at'],
      ),
  },
  {
    name: 'a request that was promised an answer until now',
    occurs: ({ requests }, { now }) =>
      requests.some(
        request =>
          has(request, 'promised_at') &&
          !has(request, 'first_answer_at') &&
          microseconds(text(request, 'promised_at')) === microseconds(now),
      ),
  },
  {
    name: 'a request that is closed without an answer',
    occurs: ({ requests }) =>
      requests.some(request => has(request, 'closed_at') && !has(request, 'first_answer_at')),
  },
  {
    name: 'a request that is answered after the period',
    occurs: ({ requests }, question) =>
      requests.some(
        request =>
          isWithin(request, 'received_at', question) &&
          has(request, 'first_answer_at') &&
          !isWithin(request, 'first_answer_at', question),
      ),
  },
]

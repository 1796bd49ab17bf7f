/** Whose fault it is that a statement with values of a request fails: the client's, if it succeeds without them. */
import type { Executable } from '../../definitions/definition.ts'
import { defaultValues, namesOfSet } from '../../definitions/parameter-values.ts'
import { Problem } from '../../model/errors.ts'
import { isDataException } from '../database/classify-error.ts'
import { withPeriod, type ReportRequest } from './report-request.ts'

/**
 * why: a value may be divided by, or make a sum too large, and a client must not set off alerts at will
 * @param read the body of the same report without values, which is cached as any other
 * @throws Problem `bad_request` that names the parameters; the failure, if it is not theirs
 */
export async function blameValues<D extends Executable>(
  failure: unknown,
  report: ReportRequest<D>,
  read: (report: ReportRequest<D>) => Promise<unknown>,
): Promise<never> {
  const { parameters } = report.definition
  const names = namesOfSet(parameters, report.parameters)
  const isTheirs = failure instanceof Problem && isDataException(failure.cause)
  if (!isTheirs || names.length === 0) throw failure
  const { period, format, comparison } = report
  const plain = withPeriod(report, period, format, defaultValues(parameters))
  const without = { ...plain, comparison }
  await read(without).catch(() => Promise.reject(failure))
  throw new Problem('bad_request', texts => texts.valuesFail(names.join(', ')), {
    cause: failure.cause,
  })
}

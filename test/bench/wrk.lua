-- Requests of a file in turn, one a line: path and headers, separated by tabs. The end is one line of JSON.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local path
    local headers = {}
    for field in line:gmatch("[^\t]+") do
      if path == nil then
        path = field
      else
        local name, value = field:match("^([^:]+): (.*)$")
        headers[name] = value
      end
    end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency, _)
  io.write(string.format(
    '{"requests":%d,"durationUs":%d,"bytes":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.timeout, summary.errors.status,
    latency:percentile(50), latency:percentile(99), latency.max
  ))
end

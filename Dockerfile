# SPDX-License-Identifier: MIT
# touchstone with the packaged engines, and the headers for plug-ins:
#   docker build -t touchstone .
#   docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/work" touchstone run --out results/now
FROM debian:12-slim AS build
COPY . /src
WORKDIR /src
RUN ./quickstart package

FROM debian:12-slim
COPY --from=build /src/build/release/packages/*.deb /tmp/packages/
RUN apt-get update \
 && apt-get install -y --no-install-recommends /tmp/packages/touchstone_*.deb \
      /tmp/packages/touchstone-engines_*.deb /tmp/packages/touchstone-dev_*.deb \
 && rm -rf /var/lib/apt/lists/* /tmp/packages
RUN useradd --create-home --uid 1000 touchstone
USER touchstone
WORKDIR /work
ENTRYPOINT ["touchstone"]

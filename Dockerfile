# Protobeam in a container (docs/ci.md): `docker build -t protobeam .`
# The first stage builds the package as ./protobeam does on a bare Debian; the image has nothing of that.
FROM debian:12 AS build
WORKDIR /protobeam
COPY . .
RUN ./protobeam package --out /

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/,target=/build \
    apt-get update && \
    apt-get install -y --no-install-recommends /build/protobeam_*.deb python3 python3-numpy && \
    rm -rf /var/lib/apt/lists/*
CMD ["protobeam", "--help"]

# The server in a container: docs/http.md.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE MANIFEST.in ./
COPY bgai bgai
COPY train train
COPY models models
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir ".[server]"

FROM python:3.12-slim
RUN useradd --create-home --uid 1000 bgai && install -d -o bgai -g bgai /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 BGAI_CACHE=/data/cache BGAI_DATA=/data
USER bgai
WORKDIR /home/bgai
VOLUME /data
EXPOSE 8000
# Kernels are compiled when it first starts, which takes some minutes.
HEALTHCHECK --start-period=10m --interval=30s --timeout=5s \
    CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"
ENTRYPOINT ["bgai"]
CMD ["serve", "--host", "0.0.0.0", "--log-json"]
